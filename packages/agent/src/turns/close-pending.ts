import type { Collection, Lease } from "@baton/session";
import { closeRequest, pendingRequests } from "../requests";
import type { SessionValue } from "./session-value";

/** Closes every request that nobody waits for any more, so that no page acts on one. */
export async function closePending(
	sessions: Collection<SessionValue>,
	lease: Lease,
	reason: "recovered" | "aborted" | "ended",
): Promise<void> {
	for (const { requestId } of await pendingRequests(sessions, lease.id)) {
		await closeRequest(sessions, lease.id, requestId, reason, { lease });
	}
}
