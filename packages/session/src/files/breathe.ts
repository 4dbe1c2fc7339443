/** For how long work that never waits may keep the rest of the process from its turn. */
const LONGEST_MS = 10;

/** Since when the event loop has been in one turn, if anyone asked in it. */
let since: number | null = null;

/**
 * What is written at once waits for nothing, so a caller that writes and writes would hold up timers
 * and sockets. Await what this returns: most often nothing, now and then the next turn of the loop.
 */
export function breathe(): Promise<void> | undefined {
	if (since === null) {
		since = performance.now();
		setImmediate(() => {
			since = null;
		});
		return undefined;
	}
	if (performance.now() - since < LONGEST_MS) return undefined;
	return new Promise((resolve) => setImmediate(resolve));
}
