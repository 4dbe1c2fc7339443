import { type RequestEnd, requestEndOf } from "./request-end";
import { EVENTS_LOG, type SessionLog } from "./session-log";

const PAGE = 1_000;
/** How far back an end is looked for: well past any turn, and a bound on what a caller can cost. */
const REACH = 50_000;

/**
 * The end of a request that is no longer open, searched from the log's tail backwards; null when it
 * never was, or ended longer ago than the log is kept or searched.
 */
export async function findRequestEnd(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
): Promise<RequestEnd | null> {
	let slice = await sessions.tail(sessionId, EVENTS_LOG, PAGE);
	const oldest = Math.max(slice.first, slice.last - REACH + 1);
	for (;;) {
		for (const entry of slice.entries.toReversed()) {
			const end = requestEndOf(entry, requestId);
			if (end) return end;
		}
		const before = (slice.entries[0]?.seq ?? 0) - 1;
		if (before < oldest) return null;
		const after = Math.max(before - PAGE, oldest - 1);
		slice = await sessions.read(sessionId, EVENTS_LOG, { after, limit: before - after });
		// A log that was trimmed or changed underneath has no older page to look at.
		if (slice.reset) return null;
	}
}
