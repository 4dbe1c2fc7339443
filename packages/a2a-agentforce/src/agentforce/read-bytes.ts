import { within } from "./within";

/**
 * The body of an answer, as it comes. Leaving it early, and an abort, stop the request; an abort
 * rejects with its reason. The signal of `fetch` alone is not enough for that: once the head of the
 * answer is there, nothing keeps what listens to it from being collected as garbage.
 */
export async function* readBytes(
	response: Response,
	silenceMs: number,
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	if (!response.body) return;
	const reader = response.body.getReader();
	// Not awaited: a connection that hangs would hang here.
	const stop = () => void reader.cancel().catch(() => {});
	signal?.addEventListener("abort", stop);
	try {
		for (;;) {
			signal?.throwIfAborted();
			const { done, value } = await within(silenceMs, reader.read());
			signal?.throwIfAborted();
			if (done) return;
			yield value;
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		signal?.removeEventListener("abort", stop);
		stop();
	}
}
