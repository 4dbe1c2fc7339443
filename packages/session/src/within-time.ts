/**
 * Does work with a signal that is aborted with the given one, or when the time is over: then its reason
 * is a `TimeoutError`. Never `AbortSignal.any` over `AbortSignal.timeout`: Node 20 collects such a
 * signal as garbage while it is waited for, and the time is never over.
 */
export async function withinTime<T>(
	ms: number,
	signal: AbortSignal | undefined | null,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const stop = new AbortController();
	const abort = () => stop.abort(signal?.reason);
	const timer = setTimeout(() => {
		stop.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
	}, ms);
	if (signal?.aborted) abort();
	signal?.addEventListener("abort", abort, { once: true });
	try {
		return await work(stop.signal);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	}
}

/** Whether work ended because its time was over. */
export function isTimeout(error: unknown): boolean {
	return error instanceof DOMException && error.name === "TimeoutError";
}
