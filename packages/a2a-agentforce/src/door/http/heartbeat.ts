import type { ServerResponse } from "node:http";

/** A comment, which readers ignore and proxies take for a sign of life. */
const HEARTBEAT = ": heartbeat\n\n";

/** A stream gets a heartbeat every so often, for as long as it is open. */
export function keepAlive(response: ServerResponse, everyMs: number): void {
	const timer = setInterval(() => {
		if (!response.writableEnded && !response.writableNeedDrain) response.write(HEARTBEAT);
	}, everyMs);
	timer.unref();
	response.once("close", () => clearInterval(timer));
}
