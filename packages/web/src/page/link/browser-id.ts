const KEY = "baton:browser";

let known: string | undefined;

/**
 * Under which this browser claims tool calls. Its tabs agree among themselves who runs one; at the
 * server they are one page, so that a tab can speak for another one that was closed.
 */
export function browserId(): string {
	known ??= read();
	return known;
}

function read(): string {
	const made = crypto.randomUUID();
	try {
		const kept = localStorage.getItem(KEY);
		if (kept) return kept;
		localStorage.setItem(KEY, made);
	} catch {
		// A browser that keeps nothing is somebody new each time.
	}
	return made;
}
