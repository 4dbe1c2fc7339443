import {
	type Json,
	type Lease,
	LogEntry,
	type SessionRecord,
	type TakenLease,
} from "@baton/session";
import { OpenRuns } from "./open-runs";
import type { SessionValue } from "./session-value";

/** What was just stored for a session to do, where the lease came with it. */
export interface News {
	/** The seq of the first of the events. */
	first: number;
	events: readonly Json[];
	/** The lease that was taken in the same step, and when that was asked for by `performance.now()`. */
	taken: TakenLease;
	askedAt: number;
}

/** A lease in hand, with how the session stood when it was read under it. */
export interface Held {
	lease: Lease;
	takenAt: number;
	record: SessionRecord<SessionValue>;
	registers: Readonly<Record<string, string>>;
	/** The log's last seq at that moment. */
	last: number;
	/** The open turns up to there, where they are known. */
	runs?: OpenRuns | null;
}

/** How the session stands, from the step that stored the news and took the lease. */
export function heldBy({ taken, askedAt, first, events }: News): Held {
	const { lease, record, registers } = taken as TakenLease & Held;
	const runs = openedBy(first, events, record.value.settledSeq ?? 0);
	return { lease, takenAt: askedAt, record, registers, last: first + events.length - 1, runs };
}

/** The open turns of a session in which everything before these events has ended, else null. */
function openedBy(first: number, events: readonly Json[], settledSeq: number): OpenRuns | null {
	if (first !== settledSeq + 1) return null;
	const runs = new OpenRuns(settledSeq);
	for (const [i, event] of events.entries()) {
		runs.feed(new LogEntry(first + i, JSON.stringify(event), event));
	}
	return runs;
}
