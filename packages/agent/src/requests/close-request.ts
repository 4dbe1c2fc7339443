import type { Lease } from "@baton/session";
import type { SessionLog } from "./session-log";
import { swapRequest } from "./swap-request";

/**
 * Ends a request without an answer; a later one is refused. False when there was nothing to close:
 * it was answered or closed before, and its end is in the log.
 */
export async function closeRequest(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
	/** `recovered`, `expired`, `aborted`, `superseded`, or a later word. */
	reason: string,
	options: { lease?: Lease } = {},
): Promise<boolean> {
	const close = () => ({ to: null, event: { type: "request_closed", reason } });
	return (await swapRequest(sessions, sessionId, requestId, close, options)) === "done";
}
