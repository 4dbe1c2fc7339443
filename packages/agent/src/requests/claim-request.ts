import { explainAbsence } from "./explain-absence";
import { RequestError } from "./request-error";
import { checkClaimId } from "./request-register";
import type { SessionLog } from "./session-log";
import { swapRequest } from "./swap-request";

/**
 * A page takes the request, before it runs it. The same claim again is fine; of two different ones
 * the first has it, and the other is refused as `claimed`.
 */
export async function claimRequest(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
	claimId: string,
): Promise<void> {
	checkClaimId(claimId);
	const outcome = await swapRequest(sessions, sessionId, requestId, (standing) => {
		if (standing.claimId === claimId) return null;
		if (standing.claimId !== null) throw claimedByAnother(requestId);
		return { to: { ...standing, claimId }, event: { type: "request_claimed", claimId } };
	});
	if (outcome === "not_open") throw await explainAbsence(sessions, sessionId, requestId);
}

export function claimedByAnother(requestId: string): RequestError {
	return new RequestError(
		"claimed",
		`Request "${requestId}" was claimed by another page, which runs and answers it.`,
	);
}
