import type { Log } from "../log/log";
import type { Fetch } from "./request-listener";

const LONGEST_PATH = 200;
/** What machines ask for every few seconds. */
const QUIET = new Set(["/health", "/ready", "/metrics"]);

/** Writes a line for each request, when its answer begins. Queries may hold tokens and stay out. */
export function logRequests(fetch: Fetch, log: Log): Fetch {
	return async (request) => {
		const begin = performance.now();
		const response = await fetch(request);
		const path = new URL(request.url).pathname.slice(0, LONGEST_PATH);
		const ms = Math.round((performance.now() - begin) * 10) / 10;
		const level = levelOf(path, response.status, request);
		log[level]({ ms }, `${request.method} ${path} ${response.status}`);
		return response;
	};
}

/** A failure that nobody waits for any more is none that somebody must look at. */
function levelOf(path: string, status: number, request: Request): "debug" | "info" | "warn" {
	if (QUIET.has(path)) return "debug";
	return status >= 500 && !request.signal.aborted ? "warn" : "info";
}
