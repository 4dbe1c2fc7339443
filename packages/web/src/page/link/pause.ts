const FIRST_MS = 200;
const LONGEST_MS = 3_000;

/** Waits before the next attempt; less when the browser says that the network is back. */
export function pause(attempt: number, signal?: AbortSignal): Promise<void> {
	const ms = Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS);
	return new Promise((resolve, reject) => {
		const done = () => {
			clearTimeout(timer);
			window.removeEventListener("online", done);
			signal?.removeEventListener("abort", stop);
			resolve();
		};
		const stop = () => {
			done();
			reject(signal?.reason);
		};
		const timer = setTimeout(done, ms);
		window.addEventListener("online", done);
		if (signal?.aborted) stop();
		else signal?.addEventListener("abort", stop);
	});
}
