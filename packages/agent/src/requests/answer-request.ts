import { isDeepStrictEqual } from "node:util";
import type { RelayResponse } from "@baton/protocol";
import type { JsonObject } from "@baton/session";
import { claimedByAnother } from "./claim-request";
import { explainAbsence } from "./explain-absence";
import { findRequestEnd } from "./find-request-end";
import { RequestError } from "./request-error";
import { checkClaimId, type RequestKind } from "./request-register";
import type { SessionLog } from "./session-log";
import { swapRequest } from "./swap-request";

const KIND_OF: Record<RelayResponse["type"], RequestKind | null> = {
	snapshot_response: "snapshot",
	execute_response: "execute",
	error_response: null,
};

export interface AnswerOptions {
	/** Under which the request was claimed. */
	claimId?: string;
	/** How whoever brings the answer goes on with the turn: noted in the log, for people. */
	resume?: "hot" | "cold";
}

/**
 * Takes the answer to a request that is open, or claimed with this `claimId`. A request is answered
 * once: the very same answer again is fine, any other is refused as `over`.
 */
export async function answerRequest(
	sessions: SessionLog,
	sessionId: string,
	response: RelayResponse,
	options: AnswerOptions = {},
): Promise<void> {
	const { requestId } = response;
	if (options.claimId !== undefined) checkClaimId(options.claimId);
	const kind = KIND_OF[response.type];
	const outcome = await swapRequest(sessions, sessionId, requestId, (standing) => {
		if (standing.claimId !== null && standing.claimId !== options.claimId) {
			throw claimedByAnother(requestId);
		}
		if (kind !== null && kind !== standing.kind) {
			throw new RequestError(
				"wrong_kind",
				`Request "${requestId}" is a ${standing.kind}_request; a ${response.type} does not answer it.`,
			);
		}
		const { resume } = options;
		const event = { type: "request_answered", response: response as JsonObject };
		return { to: null, event: { ...event, ...(resume && { resume }) } };
	});
	if (outcome !== "not_open") return;
	const end = await findRequestEnd(sessions, sessionId, requestId);
	const same = end?.kind === "answered" && isDeepStrictEqual(end.response, plain(response));
	if (!same) throw await explainAbsence(sessions, sessionId, requestId, end);
}

/** As it comes back from a store: without undefined fields and prototypes. */
function plain(response: RelayResponse): unknown {
	return JSON.parse(JSON.stringify(response));
}
