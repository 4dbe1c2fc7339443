import type { RequestListener } from "node:http";
import type { Log } from "../log/log";

const LONGEST_PATH = 200;

/** What this process answers itself; the rest is the web app's. */
export function isOwnPath(url: string | undefined): boolean {
	return /^\/(?:health|ready|metrics|agent-api)(?:[/?]|$)/.test(url ?? "");
}

/** Writes a line for each request to the app's routes, when its answer begins. */
export function logWebRequests(handle: RequestListener, log: Log): RequestListener {
	return (incoming, outgoing) => {
		const begin = performance.now();
		const path = (incoming.url ?? "").split("?", 1)[0]?.slice(0, LONGEST_PATH) ?? "";
		outgoing.once("close", () => {
			const ms = Math.round((performance.now() - begin) * 10) / 10;
			const level = path.startsWith("/api/") ? "info" : "debug";
			log[level]({ ms }, `${incoming.method} ${path} ${outgoing.statusCode}`);
		});
		handle(incoming, outgoing);
	};
}
