/** A blank line, which readers ignore and proxies take for a sign of life. */
const HEARTBEAT = "\n";

/** The pieces as they come, and a blank line whenever there was none for a while. */
export async function* withHeartbeat(
	pieces: AsyncGenerator<string, void, undefined>,
	everyMs: number,
): AsyncGenerator<string, void, undefined> {
	try {
		for (;;) {
			const next = pieces.next();
			let silent = true;
			while (silent) {
				let timer: NodeJS.Timeout | undefined;
				const pulse = new Promise<null>((resolve) => {
					timer = setTimeout(resolve, everyMs, null);
				});
				const first = await Promise.race([next, pulse]);
				clearTimeout(timer);
				if (first === null) {
					yield HEARTBEAT;
					continue;
				}
				silent = false;
				if (first.done) return;
				yield first.value;
			}
		}
	} finally {
		// Not awaited: a follower that waits for its next event ends by its signal.
		pieces.return().catch(() => {});
	}
}
