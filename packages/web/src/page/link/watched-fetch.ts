import { KEEP_ALIVE_MS } from "../../chat/keep-alive";
import { ConnectionLost } from "./connection-error";

/** A connection that is gone may say nothing at all: a laptop that slept, a network that changed. */
const SILENCE_MS = 3 * KEEP_ALIVE_MS;

/** `fetch`, whose answers fail when nothing, not even a sign of life, has come for a while. */
export const watchedFetch: typeof fetch = async (input, init) => {
	const response = await fetch(input, init);
	// An answer without content may have a body all the same, an empty one.
	if (!response.body || response.status === 204) return response;
	return new Response(watched(response.body), response);
};

function watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			let timer: ReturnType<typeof setTimeout> | undefined;
			const silence = new Promise<never>((_, reject) => {
				timer = setTimeout(() => reject(new ConnectionLost("silence")), SILENCE_MS);
			});
			try {
				const { done, value } = await Promise.race([reader.read(), silence]);
				if (done) controller.close();
				else controller.enqueue(value);
			} catch (error) {
				void reader.cancel().catch(() => {});
				controller.error(error);
			} finally {
				clearTimeout(timer);
			}
		},
		cancel: (reason) => reader.cancel(reason),
	});
}
