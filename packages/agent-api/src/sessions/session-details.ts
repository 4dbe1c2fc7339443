import { type SessionValue, TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import type { SessionDetails } from "@baton/protocol";
import type { SessionRecord } from "@baton/session";
import { listed, type SessionParts, stateOf } from "./session-row";

/** Where a session stands now. */
export async function sessionDetails(
	{ turns, sessions }: SessionParts,
	record: SessionRecord<SessionValue>,
): Promise<SessionDetails> {
	const [position, { entries }] = await Promise.all([
		turns.position(record.id, record.value),
		sessions.tail(record.id, TRANSCRIPT, 1),
	]);
	const { first, last, settledSeq: settled, runner } = position;
	return {
		...listed(record),
		state: stateOf(position, entries[0]?.event as TranscriptRow | undefined),
		first,
		last,
		settled,
		runner: runner && {
			holder: runner.holder,
			token: runner.token,
			remaining_ms: runner.remainingMs,
		},
	};
}
