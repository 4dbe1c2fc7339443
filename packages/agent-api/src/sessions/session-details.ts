import { type SessionValue, TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import type { SessionRecord } from "@baton/session";
import {
	type ListedSession,
	listed,
	type SessionParts,
	type SessionState,
	stateOf,
} from "./session-row";

interface SessionDetails extends ListedSession {
	state: SessionState;
	/** Which events there are. Without any, `first` is `last` and one. */
	first: number;
	last: number;
	/** Every turn admitted up to here has ended. */
	settled: number;
	/** Which process drives it, the number of its lease, and how long that is still certain. */
	runner: { holder: string; token: number; remaining_ms: number } | null;
}

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
