import { findRequestEnd } from "./find-request-end";
import type { RequestEnd } from "./request-end";
import { RequestError } from "./request-error";
import type { SessionLog } from "./session-log";

/** Why nothing can be done with a request that has no register. */
export async function explainAbsence(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
	known?: RequestEnd | null,
): Promise<RequestError> {
	const end = known === undefined ? await findRequestEnd(sessions, sessionId, requestId) : known;
	if (!end) {
		return new RequestError("not_found", `There is no request "${requestId}" in this session.`);
	}
	const how = end.kind === "answered" ? "was answered already" : `was closed (${end.reason})`;
	return new RequestError("over", `Request "${requestId}" ${how}; no other answer is taken.`);
}
