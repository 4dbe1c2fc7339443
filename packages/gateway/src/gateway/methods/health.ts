import { EVENT_NAMES } from "../../protocol/frames";
import { PROTOCOL_VERSION } from "../../protocol/version";
import type { MethodHandler } from "./types";

/** How the gateway is, for unauthenticated `GET /health` too. */
export function healthOf(): { status: string; uptime: number } {
	return { status: "ok", uptime: Math.round(process.uptime()) };
}

export const healthCheck: MethodHandler = async () => healthOf();

/** What this gateway speaks: so that a client need not guess. */
export const hello: MethodHandler = async (_, { version, methods, limits }) => ({
	protocol: PROTOCOL_VERSION,
	server: `baton/${version}`,
	methods,
	events: EVENT_NAMES,
	limits: {
		frameBytes: limits.frameBytes,
		messageCharacters: 32_000,
		historyMessages: 500,
		bufferBytes: limits.bufferBytes,
		pingMs: limits.pingMs,
	},
});
