import type { Lease } from "@baton/session";
import { closeRequest } from "./close-request";
import type { RequestEnd } from "./request-end";
import type { SessionLog } from "./session-log";
import { type WaitForAnswerOptions, waitForAnswer } from "./wait-for-answer";

/**
 * Waits for the answer, and closes the request when the time is over (`expired`) or the signal is
 * aborted (`aborted`). An answer that was stored before the close counts, so the caller always has
 * the end that everyone else reads in the log.
 */
export async function settleRequest(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
	{ lease, ...wait }: WaitForAnswerOptions & { lease?: Lease },
): Promise<RequestEnd> {
	const outcome = await waitForAnswer(sessions, sessionId, requestId, wait);
	if (outcome.kind === "answered" || outcome.kind === "closed") return outcome;
	const reason = outcome.kind === "timeout" ? "expired" : "aborted";
	await closeRequest(sessions, sessionId, requestId, reason, { ...(lease && { lease }) });
	const end = await waitForAnswer(sessions, sessionId, requestId, { after: wait.after });
	// Without a time and a signal a wait ends by an end alone.
	return end as RequestEnd;
}
