import { textStream } from "@giselles-ai/browser-tool/relay";

/** Lines as they come, for as long as the reader reads. `gone` tells their source that it left. */
export function ndjsonResponse(
	pieces: AsyncGenerator<string, void, undefined>,
	gone: AbortController,
	headers: Record<string, string> = {},
): Response {
	return new Response(
		textStream(pieces, () => gone.abort()),
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
