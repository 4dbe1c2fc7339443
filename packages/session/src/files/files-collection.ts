import { utimes } from "node:fs/promises";
import type {
	AliasChange,
	AppendStep,
	CollectionDriver,
	ListPosition,
	NewRecord,
	RawSlice,
	StoredAppend,
	StoredRecord,
	Wake,
} from "../driver";
import { Leases } from "../local/leases";
import { Wakeups } from "../local/wakeups";
import type { Lease, LeaseOptions, SessionState } from "../port";
import { idInUse, notFound } from "../store-errors";
import { AppendSteps } from "./append-steps";
import { hasCode, ifFileError } from "./file-errors";
import type { FilesContext } from "./files-context";
import type { FilesSession } from "./files-session";
import type { LineLog } from "./line-log";
import { LiveSessions } from "./live-sessions";
import { mapLimited } from "./map-limited";
import type { IndexEntry } from "./session-index";

const READ_WIDTH = 32;
const READ_ATTEMPTS = 3;

/** What changes a session runs in that session's queue; reads of an opened log do not wait for it. */
export class FilesCollection implements CollectionDriver {
	readonly pollMs = 30_000;
	readonly #context: FilesContext;
	readonly #live: LiveSessions;
	readonly #leases = new Leases();
	readonly #wakeups = new Wakeups();
	readonly #steps: AppendSteps;

	constructor(context: FilesContext, boot: string | null) {
		this.#context = context;
		this.#live = new LiveSessions(context, boot, (id) => {
			this.#leases.drop(id);
			this.#wakeups.wake(id, {});
		});
		this.#steps = new AppendSteps(this.#live, this.#leases, this.#wakeups);
	}

	async close(): Promise<void> {
		const closing = this.#live.close();
		this.#wakeups.wakeAll({});
		await closing;
		await this.#context.spares.close();
	}

	sweep(): Promise<void> {
		return this.#live.sweep();
	}

	async create(id: string, { json, ...rest }: NewRecord): Promise<StoredRecord> {
		return this.#live.queued(id, async (found) => {
			if (found) throw idInUse(id);
			const record = { id, json, ...rest, version: 1, updatedAt: rest.createdAt };
			await this.#live.withAliases(id, record.aliases, () => this.#live.create(record));
			return record;
		});
	}

	async get(id: string): Promise<StoredRecord | null> {
		const entry = await this.#live.get(id);
		return entry && this.#live.record(entry);
	}

	async find(alias: string): Promise<StoredRecord | null> {
		const owner = await this.#live.ownerOf(alias);
		return owner === undefined ? null : this.get(owner);
	}

	async update(
		id: string,
		change: (json: string) => string,
		{ add, remove }: AliasChange,
	): Promise<StoredRecord> {
		return this.#inSession(id, async (entry) => {
			const record = await this.#live.recordInQueue(entry);
			if (!record) throw notFound(id);
			const kept = record.aliases.filter((alias) => !remove.includes(alias));
			const next: StoredRecord = {
				...record,
				json: change(record.json),
				aliases: [...new Set([...kept, ...add])],
				version: record.version + 1,
				updatedAt: Date.now(),
			};
			await this.#live.withAliases(id, add, () => this.#live.replace(entry, next));
			return next;
		});
	}

	async delete(id: string): Promise<void> {
		await this.#live.queued(id, async (entry) => {
			if (entry) await this.#live.remove(entry);
		});
	}

	async list(group: string, limit: number, after: ListPosition | null): Promise<StoredRecord[]> {
		const records: StoredRecord[] = [];
		for (let position = after; records.length < limit; ) {
			const page = await this.#live.page(group, limit - records.length, position);
			const read = await mapLimited(page, READ_WIDTH, ({ id }) => this.get(id));
			records.push(...read.filter((record) => record !== null));
			position = page.at(-1) ?? null;
			if (!position) break;
		}
		return records;
	}

	async increment(id: string, counter: string): Promise<number> {
		return this.#inSession(id, async (_, session) => (await session()).increment(counter));
	}

	async append(
		id: string,
		name: string,
		lines: readonly string[],
		step: AppendStep,
	): Promise<StoredAppend> {
		return this.#inSession(id, (entry) => this.#steps.append(entry, name, lines, step));
	}

	async read(id: string, name: string, after: number, limit: number): Promise<RawSlice> {
		return this.#reading(id, name, (log) => log.read(after, limit));
	}

	async tail(id: string, name: string, count: number): Promise<RawSlice> {
		return this.#reading(id, name, (log) => log.tail(count));
	}

	async trim(id: string, name: string, firstKept: number): Promise<void> {
		await this.#inSession(id, async (entry, session) => {
			await (await session()).trim(name, firstKept);
			await this.#keepAlive(entry);
		});
	}

	async state(id: string, name: string): Promise<SessionState> {
		return this.#live.queued(id, async (entry) => {
			if (!entry) throw notFound(id);
			const session = await this.#live.session(entry);
			const { first, last } = await session.log(name);
			return { first, last, registers: session.registers, lease: this.#leases.current(id) };
		});
	}

	watch(id: string, name: string, listener: (wake: Wake) => void): () => void {
		const unwatchLog = this.#wakeups.watch(`${id}/${name}`, listener);
		const unwatchSession = this.#wakeups.watch(id, listener);
		return () => {
			unwatchLog();
			unwatchSession();
		};
	}

	async takeLease(id: string, options: LeaseOptions): Promise<Lease | null> {
		return this.#live.queued(id, async (entry) => {
			if (!entry) throw notFound(id);
			return this.#steps.takeLease(entry, options);
		});
	}

	/** Not in the queue: a renewal that waited behind a slow write could come too late. */
	async renewLease(lease: Lease, ttlMs: number): Promise<void> {
		const entry = await this.#live.get(lease.id);
		if (!entry) throw notFound(lease.id);
		this.#leases.renew(lease, ttlMs);
		this.#live.renew(entry);
		await this.#keepAlive(entry);
	}

	async releaseLease(lease: Lease): Promise<void> {
		await this.#live.queued(lease.id, async () => this.#leases.release(lease));
	}

	async setAlarm(id: string, inMs: number): Promise<void> {
		await this.#live.queued(id, async (entry) => {
			if (!entry) throw notFound(id);
			await this.#live.alarms.set(id, inMs);
		});
	}

	async postponeAlarm(
		id: string,
		name: string,
		last: number,
		inMs: number | null,
	): Promise<boolean> {
		return this.#live.queued(id, async (entry) => {
			if (!entry) throw notFound(id);
			const log = await (await this.#live.session(entry)).log(name);
			if (log.last !== last) return false;
			if (inMs === null) await this.#live.alarms.clear(id);
			else await this.#live.alarms.set(id, inMs);
			return true;
		});
	}

	async clearAlarm(id: string): Promise<void> {
		await this.#live.queued(id, () => this.#live.alarms.clear(id));
	}

	async dueAlarms(limit: number): Promise<string[]> {
		await this.#live.opened();
		const ids: string[] = [];
		for (const id of this.#live.alarms.due()) {
			if (ids.length === limit) break;
			if (await this.#live.get(id)) ids.push(id);
		}
		return ids;
	}

	/** Runs a change in the session's queue, and renews its time to live when it went through (I7). */
	#inSession<T>(
		id: string,
		task: (entry: IndexEntry, session: () => Promise<FilesSession>) => Promise<T>,
	): Promise<T> {
		return this.#live.queued(id, async (entry) => {
			if (!entry) throw notFound(id);
			const result = await task(entry, () => this.#live.session(entry));
			this.#live.renew(entry);
			return result;
		});
	}

	/** Reads without waiting for writers, once the log is open. A trim may move the file meanwhile. */
	async #reading(
		id: string,
		name: string,
		read: (log: LineLog) => Promise<RawSlice>,
	): Promise<RawSlice> {
		for (let attempt = 1; ; attempt++) {
			const entry = await this.#live.get(id);
			if (!entry) throw notFound(id);
			const log = this.#live.openedLog(id, name) ?? (await this.#openLog(id, name));
			try {
				return await read(log);
			} catch (error) {
				if (hasCode(error, "ENOENT") && attempt < READ_ATTEMPTS) continue;
				throw ifFileError(error, this.#context.paths.folder);
			}
		}
	}

	#openLog(id: string, name: string): Promise<LineLog> {
		return this.#live.queued(id, async (entry) => {
			if (!entry) throw notFound(id);
			return (await this.#live.session(entry)).log(name);
		});
	}

	/** After a restart the age of a session is that of its files, so a renewal shows on one of them. */
	async #keepAlive(entry: IndexEntry): Promise<void> {
		if (entry.ttlMs === null) return;
		const now = new Date();
		await utimes(this.#context.paths.meta(entry.id), now, now).catch(() => {});
	}
}
