import type { Appended, AppendOptions } from "./append-options";
import type { Json, JsonObject } from "./json";
import type { Lease, LeaseOptions } from "./lease";
import type { LogEntry } from "./log-entry";
import type { SessionRecord } from "./session-record";

/*
 * The port of the session core. A driver implements `Store` and `Collection`; the contract suite
 * in `@baton/session/testing` holds every driver to these invariants:
 *
 * I1  `seq` starts at 1, has no gaps, is assigned at append, is never reused.
 * I2  An event is stored before any follower sees it.
 * I3  `follow({after})` yields every later event exactly once, in order: replay, then live, with no
 *     gap between them. A cursor older than what is kept, or one that the log no longer agrees
 *     with, gets an explicit reset, never a silent gap.
 * I4  An append that names a lease is written only while that lease is current by the store's
 *     clock. A stale holder gets `lease_lost`, and nothing is written.
 * I5  A register swap and the events appended with it happen together or not at all, so a terminal
 *     event that swaps the run's register is stored exactly once.
 * I6  Record updates are atomic: two concurrent updates both survive; counters never repeat.
 * I7  Time to live is optional; where set, every write renews it, and what expired reads as absent,
 *     its aliases too. Without one, nothing is ever dropped on its own.
 * I8  Same idempotency key and same body: the first result again. Same key and another body:
 *     `conflict`. It survives a restart wherever the data does.
 * I9  What goes in is what comes out: values are copied at the boundary, any JSON and any Unicode,
 *     up to the size caps in `limits.ts`; larger is `too_large`.
 */

export type {
	Appended,
	AppendOptions,
	LogRow,
	RegisterSwap,
	Settle,
	TakenLease,
} from "./append-options";
export type { Lease, LeaseOptions } from "./lease";
export type { SessionRecord } from "./session-record";

export interface Store {
	readonly driver: string;

	/** A named family of sessions. The same name is always the same family. */
	collection<V extends JsonObject = JsonObject>(
		name: string,
		options?: CollectionOptions,
	): Collection<V>;

	/** Resolves when the store answers; rejects with `unavailable` when it does not. */
	check(): Promise<void>;

	/** Ends every follower, frees every resource. Pending calls reject with `closed`. */
	close(): Promise<void>;
}

export interface CollectionOptions {
	/** Prefix of a record's key where the driver has keys. Default: the collection's name. */
	recordKey?: string;
	/** Prefix of an alias's key where the driver has keys. Default: `<recordKey>:alias`. */
	aliasKey?: string;
	/** False: `list` is refused, and nothing is kept for it. Default: true. */
	listed?: boolean;
}

/**
 * Sessions of one kind. A session is a record (one JSON object), any number of named append-only
 * logs, counters, and at most one lease. Ids match `[A-Za-z0-9_-]{1,128}`; log, counter and
 * register names match `[a-z][a-z0-9-]{0,63}`; aliases and groups are any text up to 512 characters
 * without control characters.
 */
export interface Collection<V extends JsonObject = JsonObject> {
	readonly name: string;

	// Records

	/** Rejects with `already_exists` when the id, or one of the aliases, is in use. */
	create(id: string, value: V, options?: CreateOptions): Promise<SessionRecord<V>>;

	get(id: string): Promise<SessionRecord<V> | null>;

	/** The record that carries this alias now. */
	find(alias: string): Promise<SessionRecord<V> | null>;

	/**
	 * Replaces the value by what `change` makes of it, atomically. `change` must be pure: it runs
	 * again when another writer came first. Rejects with `not_found` when there is no record.
	 */
	update(id: string, change: (value: V) => V, options?: UpdateOptions): Promise<SessionRecord<V>>;

	/** Removes the record, its aliases, logs, counters and lease. Absent is fine. */
	delete(id: string): Promise<void>;

	/** Newest first by `createdAt`. Every record of the group that stays put is seen exactly once. */
	list(options?: ListOptions): Promise<RecordPage<V>>;

	/** Adds one to a counter and returns it; the first call returns 1. */
	increment(id: string, counter: string): Promise<number>;

	// Logs

	/** Appends the events as one atomic batch, in the order of the calls. */
	append(
		id: string,
		log: string,
		events: readonly Json[],
		options?: AppendOptions,
	): Promise<Appended>;

	/** Events after a cursor, oldest first, at most `limit` (default 1,000). */
	read(id: string, log: string, options?: ReadOptions): Promise<LogSlice>;

	/** The last `count` events, oldest first. Costs what it returns, however long the log is. */
	tail(id: string, log: string, count: number): Promise<LogSlice>;

	/**
	 * Every event after the cursor, for as long as the signal is not aborted: batches of at least one
	 * entry, or a reset. An abort ends the iteration without an error. Rejects with `not_found` when
	 * the session is absent, also when it goes away later.
	 */
	follow(id: string, log: string, options?: FollowOptions): AsyncIterable<FollowBatch>;

	/** Someone will follow this log soon: what a follower needs can be got ready. */
	expect(id: string, log: string): void;

	/** Drops the events before `firstKept`. Their numbers are never used again. */
	trim(id: string, log: string, firstKept: number): Promise<void>;

	/** Where the log, the registers and the lease stand now. */
	state(id: string, log: string): Promise<SessionState>;

	// Lease

	/** Takes the lease, or returns null when another holder has it. */
	takeLease(id: string, options: LeaseOptions): Promise<Lease | null>;

	/** Extends the lease from now. Rejects with `lease_lost` when it is no longer current. */
	renewLease(lease: Lease, ttlMs?: number): Promise<void>;

	/** Gives the lease up; does nothing when it is no longer current. */
	releaseLease(lease: Lease): Promise<void>;

	// Alarms: how work is found again when the process that did it is gone

	/** Sets the session's one alarm, replacing an earlier one. Survives a restart. */
	setAlarm(id: string, inMs: number): Promise<void>;

	/**
	 * Puts the alarm off when there is nothing left to do, unless something was appended to the log
	 * after `last`: then it stays, and the answer is false. A driver that cannot tell the two at once
	 * leaves an alarm that has not come due where it is. So an alarm that was set before an append, and
	 * comes due after it, is never lost to someone who had not seen that append. Null takes it away.
	 */
	postponeAlarm(id: string, log: string, last: number, inMs: number | null): Promise<boolean>;

	clearAlarm(id: string): Promise<void>;

	/** Ids whose alarm time has come, earliest first. They stay until set again or cleared. */
	dueAlarms(limit: number): Promise<string[]>;
}

export interface CreateOptions {
	/** Other names under which `find` returns this record. */
	aliases?: readonly string[];
	/** What `list` is scoped to, an owner for instance. Default: the empty group. */
	group?: string;
	/** Time to live after the last write. Default: none. */
	ttlMs?: number;
	/** Wall time in Unix ms. Default: now. */
	createdAt?: number;
}

export interface UpdateOptions {
	/** Aliases to add. An alias of another live record rejects with `already_exists`. */
	addAliases?: readonly string[];
	removeAliases?: readonly string[];
}

export interface ListOptions {
	group?: string;
	/** Default 50, at most 1,000. */
	limit?: number;
	/** From an earlier page. */
	cursor?: string;
}

export interface RecordPage<V extends JsonObject = JsonObject> {
	readonly records: SessionRecord<V>[];
	/** Null when this was the last page. */
	readonly cursor: string | null;
}

export interface ReadOptions {
	/** Default 0: from the start. */
	after?: number;
	limit?: number;
}

export interface LogSlice {
	readonly entries: LogEntry[];
	/** The first seq that is kept; `last + 1` when nothing is. */
	readonly first: number;
	/** The last seq ever assigned; 0 before the first append. */
	readonly last: number;
	/** Set when the cursor cannot be continued; the entries then start at `first`. */
	readonly reset: Reset | null;
}

export interface Reset {
	/** trimmed: events after the cursor are no longer kept. diverged: the log is not the one read before. */
	readonly reason: "trimmed" | "diverged";
	/** The seq that the next entry has at least. */
	readonly first: number;
}

export interface FollowOptions {
	after?: number;
	signal?: AbortSignal;
	/** The most entries in one batch. Default 1,000. */
	limit?: number;
	/**
	 * What comes after the cursor is only now being written: the first look may wait for the wake-ups,
	 * which spares another look.
	 */
	fresh?: boolean;
	/** Events whose JSON begins like this are of no interest: they may be left out, but for the last. */
	omit?: string;
}

export interface FollowBatch {
	readonly entries: LogEntry[];
	/** When set, forget everything read so far; the entries of this and later batches start anew. */
	readonly reset: Reset | null;
}

export interface SessionState {
	readonly first: number;
	readonly last: number;
	readonly registers: Readonly<Record<string, string>>;
	/** Who holds the lease now, and for how long still. */
	readonly lease: { holder: string; token: number; remainingMs: number } | null;
}
