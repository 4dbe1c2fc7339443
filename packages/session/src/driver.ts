import type { LogEntry } from "./log-entry";
import type { Lease, LeaseOptions, RegisterSwap, SessionState } from "./port";

/*
 * What a driver implements. Input is checked and encoded before it arrives (`collection.ts`), so a
 * driver sees valid ids, JSON text without line breaks, and positive durations; it keeps the
 * invariants of `port.ts`. Every method but `watch` rejects with `not_found` for an absent session,
 * except where it says null.
 */

export interface StoreDriver {
	readonly name: string;
	collection(name: string, keys: CollectionKeys): CollectionDriver;
	check(): Promise<void>;
	close(): Promise<void>;
}

export interface CollectionKeys {
	recordKey: string;
	aliasKey: string;
	/** False: `list` is never called. */
	listed: boolean;
}

export interface CollectionDriver {
	/** How often a follower that nobody wakes looks for itself: the net under lost wake-ups. */
	readonly pollMs: number;

	create(id: string, record: NewRecord): Promise<StoredRecord>;
	get(id: string): Promise<StoredRecord | null>;
	find(alias: string): Promise<StoredRecord | null>;
	update(id: string, change: (json: string) => string, aliases: AliasChange): Promise<StoredRecord>;
	delete(id: string): Promise<void>;
	/** Records of the group that come after the position, newest first; fewer than `limit` at the end. */
	list(group: string, limit: number, after: ListPosition | null): Promise<StoredRecord[]>;
	increment(id: string, counter: string): Promise<number>;

	append(
		id: string,
		log: string,
		lines: readonly string[],
		step: AppendStep,
	): Promise<StoredAppend>;
	/**
	 * A cursor before `first` reads from `first`; the caller compares and reports the reset. A store
	 * that can lose acknowledged events marks at least the first and the last entry.
	 */
	read(
		id: string,
		log: string,
		after: number,
		limit: number,
		/** Fewer than there are will do, if more would take another look. */
		some?: boolean,
	): Promise<RawSlice>;
	tail(id: string, log: string, count: number): Promise<RawSlice>;
	trim(id: string, log: string, firstKept: number): Promise<void>;
	state(id: string, log: string): Promise<SessionState>;
	/**
	 * Calls the listener after something was appended, and whenever something may have been missed.
	 * A listener that is called too often costs a read; one that is not called loses its place until
	 * the next call, so a driver that can miss a wake-up polls underneath.
	 */
	watch(id: string, log: string, listener: (wake: Wake) => void): () => void;
	/** The log will be watched soon. Absent where there is nothing to get ready. */
	expect?(id: string, log: string): void;
	/** Resolves when a log that is watched is heard, or cannot be. Absent where it is at once. */
	live?(id: string, log: string): Promise<void>;
	/** What comes after the cursor up to the log's end, where that is at hand and the log is watched. */
	recent?(id: string, log: string, after: number): Recent | null;

	takeLease(id: string, options: LeaseOptions): Promise<Lease | null>;
	renewLease(lease: Lease, ttlMs: number): Promise<void>;
	releaseLease(lease: Lease): Promise<void>;

	setAlarm(id: string, inMs: number): Promise<void>;
	postponeAlarm(id: string, log: string, last: number, inMs: number | null): Promise<boolean>;
	clearAlarm(id: string): Promise<void>;
	dueAlarms(limit: number): Promise<string[]>;
}

export interface NewRecord {
	json: string;
	aliases: readonly string[];
	group: string;
	ttlMs: number | null;
	createdAt: number;
}

export interface StoredRecord extends NewRecord {
	id: string;
	version: number;
	updatedAt: number;
}

export interface AliasChange {
	add: readonly string[];
	remove: readonly string[];
}

export interface ListPosition {
	createdAt: number;
	id: string;
}

export interface AppendConditions {
	lease?: Lease;
	once?: OnceKey;
	swap?: RegisterSwap;
	ifLast?: number;
}

/** An append with all that happens in the same step: `AppendOptions`, encoded. */
export interface AppendStep extends AppendConditions {
	alarmMs?: number;
	before?: readonly EncodedRow[];
	after?: readonly EncodedRow[];
	takeLease?: LeaseOptions;
	settle?: { version: number; json: string; alarmMs: number };
}

export interface OnceKey {
	key: string;
	digest: string;
}

export interface EncodedRow {
	log: string;
	line: string;
	once: OnceKey;
}

export interface StoredAppend {
	first: number;
	last: number;
	repeated: boolean;
	taken?: { lease: Lease; record: StoredRecord; registers: Readonly<Record<string, string>> };
	recordChanged?: boolean;
}

export interface RawSlice {
	entries: LogEntry[];
	first: number;
	last: number;
	/** The epoch of the last append, where wake-ups have one. */
	epoch?: string;
}

/** Events that were just stored, with the mark of each. */
export interface Recent {
	lines: string[];
	marks: (string | undefined)[];
	epoch: string | undefined;
}

/** What a driver tells a watcher. An empty wake means: read again. */
export interface Wake {
	/** Events just stored, so that the watcher need not read them. */
	pushed?: { first: number; lines: readonly string[]; mark?: string };
	/** Who pushed, over which connection. A change means the log may have changed hands. */
	epoch?: string;
	/** The store may have lost acknowledged events: compare the event at the cursor. */
	verify?: boolean;
}
