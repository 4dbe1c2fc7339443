import type { Server } from "node:http";

/** How long connections that were cut may take to be gone. */
const CUT_MS = 1_000;

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
			// A socket that left HTTP is not the server's to cut, and would hold up the end for ever.
			let stop: NodeJS.Timeout | undefined;
			const given = new Promise<void>((resolve) => {
				stop = setTimeout(resolve, graceMs + CUT_MS);
			});
			await Promise.race([closed, given]);
			clearInterval(idle);
			clearTimeout(late);
			clearTimeout(stop);
		},
	};
}
