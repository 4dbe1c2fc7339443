import { EVENTS_LOG } from "@baton/agent";
import type { RelayErrorBody } from "../types";
import { corsHeaders } from "./cors";
import { readJsonBody } from "./read-json-body";
import { asRelayError, badRequest, RelayError } from "./relay-error";
import { relayEvents } from "./relay-events";
import { missingToken, relayPost } from "./relay-post";
import type { RelayStore } from "./relay-store";
import { textStream } from "./text-stream";

export interface RelayHandlerOptions {
	/** The relay, or where to get it at the first request. */
	store: RelayStore | (() => Promise<RelayStore>);
	/** Default 1 MiB. */
	maxBodyBytes?: number;
	/** Default 20,000. */
	keepaliveMs?: number;
	/** Origins of pages that may call from elsewhere. Default: none. */
	allowedOrigins?: readonly string[];
	/** Failures that the caller is told nothing about. Never given a token. */
	onError?: (error: unknown) => void;
}

const NO_STORE = { "Cache-Control": "no-store" };
const METHODS = "GET, POST, OPTIONS";

/** The relay over HTTP, for anything that speaks `Request` and `Response`. Never rejects. */
export function createRelayHandler(
	options: RelayHandlerOptions,
): (request: Request) => Promise<Response> {
	const { allowedOrigins = [], onError } = options;
	return async (request) => {
		const cors = corsHeaders(request, allowedOrigins);
		const response = await answer(request, options).catch((error: unknown) => {
			const refusal = asRelayError(error);
			if (!refusal) onError?.(error);
			return errorResponse(refusal ?? new RelayError("INTERNAL", "The relay failed; try again."));
		});
		for (const [name, value] of Object.entries(cors)) response.headers.set(name, value);
		return response;
	};
}

async function answer(request: Request, options: RelayHandlerOptions): Promise<Response> {
	const { maxBodyBytes = 1024 * 1024, keepaliveMs = 20_000 } = options;
	const getStore = async () =>
		typeof options.store === "function" ? options.store() : options.store;
	switch (request.method) {
		case "OPTIONS":
			return new Response(null, { status: 204, headers: { Allow: METHODS } });
		case "GET":
			return streamEvents(request, await getStore(), keepaliveMs);
		case "POST": {
			const body = await readJsonBody(request, maxBodyBytes);
			const result = await relayPost(await getStore(), body, bearerOf(request));
			return Response.json(result, { headers: NO_STORE });
		}
		default:
			throw new RelayError("METHOD_NOT_ALLOWED", "The relay takes GET and POST.");
	}
}

async function streamEvents(
	request: Request,
	store: RelayStore,
	keepaliveMs: number,
): Promise<Response> {
	const query = new URL(request.url).searchParams;
	if (query.get("type") !== "relay.events") throw badRequest("The type must be relay.events.");
	// An EventSource cannot set headers; nothing else has a reason to put a token into an address.
	const token = query.get("token") ?? bearerOf(request);
	const sessionId = query.get("sessionId");
	if (token === null || sessionId === null) throw missingToken();
	const relay = await store.authenticate(sessionId, token, "page");
	// Before the stream begins, so that a session that is gone is a 404 and not an empty stream.
	await store.sessions.state(relay.agentSessionId, EVENTS_LOG);
	const gone = new AbortController();
	const stop = () => gone.abort();
	if (request.signal.aborted) stop();
	else request.signal.addEventListener("abort", stop, { once: true });
	const lastEventId = parseEventId(request.headers.get("last-event-id"));
	const events = relayEvents(store, relay, { lastEventId, keepaliveMs, signal: gone.signal });
	return new Response(textStream(events, stop), {
		headers: {
			"Content-Type": "text/event-stream; charset=utf-8",
			"Cache-Control": "no-store, no-transform",
			"X-Accel-Buffering": "no",
		},
	});
}

function bearerOf(request: Request): string | null {
	return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Ids are ours; anything else is as good as none. */
function parseEventId(text: string | null): number | null {
	return /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : null;
}

function errorResponse({ code, message, status }: RelayError): Response {
	const body: RelayErrorBody = { ok: false, errorCode: code, message };
	const allow: Record<string, string> = status === 405 ? { Allow: METHODS } : {};
	return Response.json(body, { status, headers: { ...NO_STORE, ...allow } });
}
