import { textStream } from "@giselles-ai/browser-tool/relay";

/** Why what was read stops being read. One for all: each that is made writes down where it was made. */
export const OVER = new Error("Nobody reads any more.");

/** Lines as they come, for as long as the reader reads. `gone` tells their source that it left. */
export function ndjsonResponse(
	pieces: AsyncGenerator<string, void, undefined>,
	gone: AbortController,
	headers: Record<string, string> = {},
): Response {
	return new Response(
		textStream(pieces, () => gone.abort(OVER)),
		{
			headers: {
				"Content-Type": "application/x-ndjson; charset=utf-8",
				"Cache-Control": "no-store, no-transform",
				"X-Accel-Buffering": "no",
				...headers,
			},
		},
	);
}
