import type { RequestListener } from "node:http";
import { sendResponse } from "./send-response";
import { toRequest } from "./to-request";

export type Fetch = (request: Request) => Promise<Response>;

/** Serves Node's HTTP server with a web handler. */
export function createRequestListener(
	fetch: Fetch,
	onError: (error: unknown) => void,
): RequestListener {
	return (incoming, outgoing) => {
		// A socket that breaks is the end of a request, never of the process.
		incoming.on("error", () => {});
		outgoing.on("error", () => {});
		answer()
			.then((response) => sendResponse(response, outgoing))
			.catch((error: unknown) => {
				onError(error);
				outgoing.destroy();
			});

		async function answer(): Promise<Response> {
			const request = toRequest(incoming, outgoing);
			if (!request) return errorResponse(400, "INVALID_REQUEST", "The request makes no sense.");
			try {
				return await fetch(request);
			} catch (error) {
				onError(error);
				return errorResponse(500, "INTERNAL", "The server failed; its log says why.");
			}
		}
	};
}

export function errorResponse(
	status: number,
	errorCode: string,
	message: string,
	headers: Record<string, string> = {},
): Response {
	return Response.json(
		{ ok: false, errorCode, message },
		{ status, headers: { "Cache-Control": "no-store", ...headers } },
	);
}

export function nothingHere(): Response {
	return errorResponse(404, "NOT_FOUND", "There is nothing at this address.");
}
