/**
 * Runs work that takes a signal, and aborts it after a time or with the caller. Nothing stays on the
 * caller's signal afterwards, which may live for long.
 */
export async function withTimeout<T>(
	ms: number,
	signal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const forward = () => controller.abort(signal?.reason);
	if (signal?.aborted) forward();
	signal?.addEventListener("abort", forward);
	const timer = setTimeout(() => {
		controller.abort(new DOMException(`No answer came within ${ms} ms.`, "TimeoutError"));
	}, ms);
	try {
		return await work(controller.signal);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", forward);
	}
}
