import type { Json, JsonObject } from "./json";
import type { Lease, LeaseOptions } from "./lease";
import type { SessionRecord } from "./session-record";

/* What an append may depend on, and what happens in the same step. */

export interface AppendOptions {
	/** Write only while this lease is current (I4). */
	lease?: Lease;
	/** Write at most once per key and session (I8). The body compared is the batch, if not given. */
	once?: { key: string; body?: Json };
	/** Write only if the register holds `from`, and set it to `to`, in the same step (I5). */
	swap?: RegisterSwap;
	/** Write only while this is the log's last seq, else `conflict`: nobody wrote since it was read. */
	ifLast?: number;

	// What else happens in the same step, so that nothing of anyone else comes between. Where a driver
	// cannot do all of it at once and its process dies, what was done is a beginning of: `alarmMs`,
	// `before`, the events, `after`, `settle`, `takeLease`. A repeated append does none of it.

	/** Sets the alarm: whatever becomes of the caller, someone looks. */
	alarmMs?: number;
	/** Events of other logs of the session. Those whose key was used before are left out. */
	before?: readonly LogRow[];
	after?: readonly LogRow[];
	/** Takes the lease if nobody has it: see `Appended.taken`. */
	takeLease?: LeaseOptions;
	/** There is nothing left to do: needs `lease` and `ifLast`. */
	settle?: Settle;
}

/** One event of another log, stored at most once per key. */
export interface LogRow {
	log: string;
	event: Json;
	once: { key: string; body?: Json };
}

/** Replaces the record's value, puts the alarm off, and gives the lease up. */
export interface Settle {
	/** Left out when the record is no longer of this version: see `Appended.recordChanged`. */
	version: number;
	value: JsonObject;
	/** As in `postponeAlarm`. */
	alarmMs: number;
}

export interface RegisterSwap {
	register: string;
	/** Null: the register must be empty. */
	from: string | null;
	/** Null: empties the register. */
	to: string | null;
}

export interface Appended {
	readonly first: number;
	readonly last: number;
	/** True when an idempotency key brought back an earlier result. */
	readonly repeated: boolean;
	/** What was asked for by `takeLease`. Absent: another has it, or it is to be taken by a call of its own. */
	readonly taken?: TakenLease;
	/** True when `settle` met a record of another version, and left it as it is. */
	readonly recordChanged?: boolean;
}

/** A lease, and how the session stood when it was taken. */
export interface TakenLease {
	readonly lease: Lease;
	readonly record: SessionRecord;
	readonly registers: Readonly<Record<string, string>>;
}
