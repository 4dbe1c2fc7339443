const cleanups = new Set<() => void>();
let installed = false;

/**
 * Runs `cleanup` if this process ends before `forget` (the returned function) is called. Vitest ends
 * its workers with SIGTERM, which skips `exit` listeners; hence the signals.
 */
export function atExit(cleanup: () => void): () => void {
	install();
	cleanups.add(cleanup);
	return () => cleanups.delete(cleanup);
}

function install(): void {
	if (installed) return;
	installed = true;
	process.on("exit", runAll);
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
		process.once(signal, () => {
			runAll();
			// Someone else's listener decides what the signal means; without one it means death.
			if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
		});
	}
}

function runAll(): void {
	for (const cleanup of cleanups) {
		cleanups.delete(cleanup);
		try {
			cleanup();
		} catch {
			// The process is ending: the other cleanups still get their turn.
		}
	}
}
