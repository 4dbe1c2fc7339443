/** The work's result, or the signal's reason if that comes first. The work goes on by itself. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return work;
	let stop = () => {};
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop);
	});
	try {
		return await Promise.race([aborted, work]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}
