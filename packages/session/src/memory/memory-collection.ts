import type {
	AliasChange,
	AppendStep,
	CollectionDriver,
	EncodedRow,
	ListPosition,
	NewRecord,
	OnceKey,
	RawSlice,
	StoredAppend,
	StoredRecord,
	Wake,
} from "../driver";
import { compareNewestFirst } from "../list-cursor";
import { Leases, nextToken } from "../local/leases";
import { Wakeups } from "../local/wakeups";
import { LogEntry } from "../log-entry";
import type { Lease, LeaseOptions, SessionState } from "../port";
import { aliasInUse, idInUse, keyReused, movedOn, notFound, storeClosed } from "../store-errors";
import { MemorySession } from "./memory-session";

/** Each method runs without awaiting, so each is atomic. */
export class MemoryCollection implements CollectionDriver {
	readonly pollMs = 30_000;
	readonly #sessions = new Map<string, MemorySession>();
	readonly #aliases = new Map<string, string>();
	readonly #alarms = new Map<string, number>();
	readonly #leases = new Leases();
	readonly #wakeups = new Wakeups();
	#closed = false;

	close(): void {
		this.#closed = true;
		this.#wakeups.wakeAll({});
	}

	async create(id: string, record: NewRecord): Promise<StoredRecord> {
		if (this.#live(id)) throw idInUse(id);
		this.#claimAliases(id, record.aliases);
		const session = new MemorySession(id, record);
		this.#sessions.set(id, session);
		return session.record;
	}

	async get(id: string): Promise<StoredRecord | null> {
		return this.#live(id)?.record ?? null;
	}

	async find(alias: string): Promise<StoredRecord | null> {
		const id = this.#aliases.get(alias);
		return id === undefined ? null : (this.#live(id)?.record ?? null);
	}

	async update(
		id: string,
		change: (json: string) => string,
		aliases: AliasChange,
	): Promise<StoredRecord> {
		const session = this.#session(id);
		const { record } = session;
		const json = change(record.json);
		this.#claimAliases(id, aliases.add);
		for (const alias of aliases.remove) {
			if (this.#aliases.get(alias) === id) this.#aliases.delete(alias);
		}
		const kept = record.aliases.filter((alias) => !aliases.remove.includes(alias));
		session.record = {
			...record,
			json,
			aliases: [...new Set([...kept, ...aliases.add])],
			version: record.version + 1,
			updatedAt: Date.now(),
		};
		session.touch();
		return session.record;
	}

	async delete(id: string): Promise<void> {
		const session = this.#sessions.get(id);
		if (session) this.#drop(session);
	}

	async list(group: string, limit: number, after: ListPosition | null): Promise<StoredRecord[]> {
		const records: StoredRecord[] = [];
		for (const id of [...this.#sessions.keys()]) {
			const record = this.#live(id)?.record;
			if (record?.group !== group) continue;
			if (!after || compareNewestFirst(after, record) < 0) records.push(record);
		}
		return records.sort(compareNewestFirst).slice(0, limit);
	}

	async increment(id: string, counter: string): Promise<number> {
		const session = this.#session(id);
		const next = (session.counters.get(counter) ?? 0) + 1;
		session.counters.set(counter, next);
		session.touch();
		return next;
	}

	async append(
		id: string,
		name: string,
		lines: readonly string[],
		step: AppendStep,
	): Promise<StoredAppend> {
		const session = this.#session(id);
		const { lease, once, swap, ifLast } = step;
		const earlier = once && session.results.get(once.key);
		if (once && earlier) {
			if (earlier.digest !== once.digest) throw keyReused(once.key);
			return { first: earlier.first, last: earlier.last, repeated: true };
		}
		if (lease) this.#leases.check(lease);
		if (ifLast !== undefined && session.last(name) !== ifLast) {
			throw movedOn(name, ifLast, session.last(name));
		}
		if (swap) session.swap(swap);
		for (const row of step.before ?? []) this.#appendRow(session, row);
		const appended = this.#store(session, name, lines, once);
		for (const row of step.after ?? []) this.#appendRow(session, row);
		session.touch();
		if (step.alarmMs !== undefined) this.#alarms.set(id, performance.now() + step.alarmMs);
		if (step.settle && lease) return this.#settle(session, lease, step.settle, appended);
		const taken = step.takeLease && this.#take(session, step.takeLease);
		if (!taken) return appended;
		const { record, registers } = session;
		return {
			...appended,
			taken: { lease: taken, record, registers: Object.fromEntries(registers) },
		};
	}

	async read(id: string, name: string, after: number, limit: number): Promise<RawSlice> {
		const { first, lines } = this.#session(id).log(name);
		const start = Math.max(after - first + 1, 0);
		return slice(first, lines, start, start + limit);
	}

	async tail(id: string, name: string, count: number): Promise<RawSlice> {
		const { first, lines } = this.#session(id).log(name);
		return slice(first, lines, Math.max(lines.length - count, 0), lines.length);
	}

	async trim(id: string, name: string, firstKept: number): Promise<void> {
		const session = this.#session(id);
		const log = session.log(name);
		const dropped = Math.min(Math.max(firstKept - log.first, 0), log.lines.length);
		log.lines.splice(0, dropped);
		log.first += dropped;
		session.touch();
	}

	async state(id: string, name: string): Promise<SessionState> {
		const session = this.#session(id);
		return {
			first: session.log(name).first,
			last: session.last(name),
			registers: Object.fromEntries(session.registers),
			lease: this.#leases.current(id),
		};
	}

	watch(id: string, name: string, listener: (wake: Wake) => void): () => void {
		return this.#wakeups.watch(`${id}/${name}`, listener);
	}

	async takeLease(id: string, options: LeaseOptions): Promise<Lease | null> {
		const session = this.#session(id);
		return this.#take(session, options);
	}

	async renewLease(lease: Lease, ttlMs: number): Promise<void> {
		const session = this.#session(lease.id);
		this.#leases.renew(lease, ttlMs);
		session.touch();
	}

	async releaseLease(lease: Lease): Promise<void> {
		this.#leases.release(lease);
	}

	async setAlarm(id: string, inMs: number): Promise<void> {
		this.#session(id);
		this.#alarms.set(id, performance.now() + inMs);
	}

	async postponeAlarm(
		id: string,
		log: string,
		last: number,
		inMs: number | null,
	): Promise<boolean> {
		if (this.#session(id).last(log) !== last) return false;
		if (inMs === null) this.#alarms.delete(id);
		else this.#alarms.set(id, performance.now() + inMs);
		return true;
	}

	async clearAlarm(id: string): Promise<void> {
		this.#alarms.delete(id);
	}

	async dueAlarms(limit: number): Promise<string[]> {
		const now = performance.now();
		const due: [id: string, at: number][] = [];
		for (const [id, at] of this.#alarms) {
			if (at <= now && this.#live(id)) due.push([id, at]);
		}
		due.sort(([, a], [, b]) => a - b);
		return due.slice(0, limit).map(([id]) => id);
	}

	#store(
		session: MemorySession,
		name: string,
		lines: readonly string[],
		once?: OnceKey,
	): StoredAppend {
		const first = session.last(name) + 1;
		const log = session.log(name);
		for (const line of lines) log.lines.push(line);
		const last = first + lines.length - 1;
		if (once) session.results.set(once.key, { digest: once.digest, first, last });
		this.#wakeups.wake(`${session.id}/${name}`, { pushed: { first, lines } });
		return { first, last, repeated: false };
	}

	#appendRow(session: MemorySession, { log, line, once }: EncodedRow): void {
		if (!session.results.has(once.key)) this.#store(session, log, [line], once);
	}

	#settle(
		session: MemorySession,
		lease: Lease,
		{ version, json, alarmMs }: NonNullable<AppendStep["settle"]>,
		appended: StoredAppend,
	): StoredAppend {
		const recordChanged = session.record.version !== version;
		if (!recordChanged) session.replace(json);
		this.#alarms.set(session.id, performance.now() + alarmMs);
		this.#leases.release(lease);
		return { ...appended, recordChanged };
	}

	#take(session: MemorySession, options: LeaseOptions): Lease | null {
		if (this.#leases.current(session.id)) return null;
		session.touch();
		session.token = nextToken(session.token);
		return this.#leases.take(session.id, session.token, options);
	}

	#session(id: string): MemorySession {
		const session = this.#live(id);
		if (!session) throw notFound(id);
		return session;
	}

	#live(id: string): MemorySession | null {
		if (this.#closed) throw storeClosed();
		const session = this.#sessions.get(id);
		if (!session) return null;
		if (session.expired) {
			this.#drop(session);
			return null;
		}
		return session;
	}

	#claimAliases(id: string, aliases: readonly string[]): void {
		for (const alias of aliases) {
			const owner = this.#aliases.get(alias);
			if (owner !== undefined && owner !== id && this.#live(owner)) throw aliasInUse(alias);
		}
		for (const alias of aliases) this.#aliases.set(alias, id);
	}

	#drop(session: MemorySession): void {
		this.#sessions.delete(session.id);
		this.#leases.drop(session.id);
		this.#alarms.delete(session.id);
		for (const alias of session.record.aliases) {
			if (this.#aliases.get(alias) === session.id) this.#aliases.delete(alias);
		}
		for (const name of session.logs.keys()) this.#wakeups.wake(`${session.id}/${name}`, {});
	}
}

function slice(first: number, lines: readonly string[], start: number, end: number): RawSlice {
	const entries = lines.slice(start, end).map((line, i) => new LogEntry(first + start + i, line));
	return { entries, first, last: first + lines.length - 1 };
}
