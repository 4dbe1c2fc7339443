import type { Server } from "node:http";

interface ClosingServer {
	/** Waits for answers that are under way, then cuts those that are left. */
	finish(graceMs: number): Promise<void>;
}

/** Accepts no connection from now on; those that are busy go on. */
export function stopAccepting(server: Server): ClosingServer {
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	// A connection that is busy now is idle when its answer is over, and would be kept alive.
	const idle = setInterval(() => server.closeIdleConnections(), 20);
	server.closeIdleConnections();
	return {
		async finish(graceMs) {
			const late = setTimeout(() => server.closeAllConnections(), graceMs);
			await closed;
			clearInterval(idle);
			clearTimeout(late);
		},
	};
}
