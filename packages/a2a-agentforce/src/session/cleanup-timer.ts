const CLEANUP_MS = 5 * 60_000;

const running = new Set<NodeJS.Timeout>();

/** Calls `cleanUp` every five minutes, until it is stopped or the process ends. */
export function startCleanupTimer(cleanUp: () => Promise<unknown>): () => void {
	if (running.size === 0) process.once("exit", stopAll);
	let busy = false;
	const timer = setInterval(async () => {
		if (busy) return;
		busy = true;
		await cleanUp().finally(() => {
			busy = false;
		});
	}, CLEANUP_MS);
	// It is no reason to stay alive.
	timer.unref();
	running.add(timer);
	return () => {
		clearInterval(timer);
		running.delete(timer);
		if (running.size === 0) process.removeListener("exit", stopAll);
	};
}

function stopAll(): void {
	for (const timer of running) clearInterval(timer);
	running.clear();
}
