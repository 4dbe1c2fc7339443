import type { ListPosition, StoredRecord } from "../driver";
import { SerialQueues } from "../serial-queues";
import { aliasInUse, storeClosed } from "../store-errors";
import { Alarms } from "./alarms";
import { fileError, ifFileError } from "./file-errors";
import type { FilesContext } from "./files-context";
import { FilesSession } from "./files-session";
import { IndexCache } from "./index-cache";
import type { LineLog } from "./line-log";
import { entryOf, openIndex } from "./open-index";
import { RecordFiles } from "./record-files";
import { type IndexEntry, SessionIndex } from "./session-index";
import { markRemoved, removeFiles } from "./session-removal";

/** Sessions whose journal and logs stay loaded while they are not in use. */
const LOADED = 1_000;

/**
 * Which sessions there are, how long they live, and how they come and go. The index in memory
 * decides what exists; files follow it in each session's queue.
 */
export class LiveSessions {
	readonly alarms: Alarms;
	readonly #context: FilesContext;
	readonly #onGone: (id: string) => void;
	readonly #queues = new SerialQueues();
	readonly #records: RecordFiles;
	readonly #cache: IndexCache;
	/** Least recently used first. */
	readonly #loaded = new Map<string, FilesSession>();
	/** Gone, with files that are still to be removed. */
	readonly #leaving = new Map<string, IndexEntry>();
	#index = new SessionIndex();
	#opening: Promise<void> | null = null;
	#isOpen = false;
	#closed = false;

	constructor(context: FilesContext, boot: string | null, onGone: (id: string) => void) {
		this.#context = context;
		this.#onGone = onGone;
		this.#records = new RecordFiles(context);
		this.#cache = new IndexCache(context, boot);
		this.alarms = new Alarms(context);
	}

	/** Resolves once the folder has been looked through. */
	async opened(): Promise<void> {
		if (this.#closed) throw storeClosed();
		if (this.#isOpen) return;
		this.#opening ??= this.#open().finally(() => {
			this.#opening = null;
		});
		await this.#opening;
	}

	async close(): Promise<void> {
		this.#closed = true;
		await this.#opening?.catch(() => {});
		await this.#queues.drained();
		await this.alarms.drained();
		if (this.#isOpen) await this.#cache.close(() => this.#index.all());
	}

	/** Runs a task alone in its session. It gets null when there is no such session. */
	async queued<T>(id: string, task: (entry: IndexEntry | null) => Promise<T>): Promise<T> {
		if (!this.#isOpen || this.#closed) await this.opened();
		return this.#queues.run(id, async () => {
			if (this.#closed) throw storeClosed();
			try {
				return await task(await this.#current(id));
			} catch (error) {
				throw ifFileError(error, this.#context.paths.folder);
			}
		});
	}

	async get(id: string): Promise<IndexEntry | null> {
		await this.opened();
		return this.#current(id);
	}

	async ownerOf(alias: string): Promise<string | undefined> {
		await this.opened();
		return this.#index.ownerOf(alias);
	}

	async page(group: string, limit: number, after: ListPosition | null): Promise<IndexEntry[]> {
		await this.opened();
		return this.#index.page(group, limit, after);
	}

	/** Holds the aliases for the session while they are stored, so that no other can have them too. */
	async withAliases(
		id: string,
		aliases: readonly string[],
		store: () => Promise<void>,
	): Promise<void> {
		for (const alias of aliases) {
			const owner = this.#index.ownerOf(alias);
			if (owner !== undefined) await this.#current(owner); // An expired one lets go of it here.
		}
		const taken = aliases.find((alias) => (this.#index.ownerOf(alias) ?? id) !== id);
		if (taken !== undefined) throw aliasInUse(taken);
		const fresh = aliases.filter((alias) => this.#index.ownerOf(alias) === undefined);
		this.#index.claim(id, fresh);
		try {
			await store();
		} catch (error) {
			this.#index.release(id, fresh);
			throw error;
		}
	}

	/** In the session's queue, as the ones below. */
	async create(record: StoredRecord): Promise<void> {
		await this.#finishRemoval(record.id);
		await this.#records.write(record, false);
		const entry = entryOf(record, { logs: new Map(), hasJournal: false });
		entry.isWarm = true;
		this.#index.add(entry);
		this.renew(entry);
		this.#cache.added(entry, () => this.#index.all(), this.#index.size);
	}

	async replace(entry: IndexEntry, record: StoredRecord): Promise<void> {
		const dropped = entry.aliases.filter((alias) => !record.aliases.includes(alias));
		const changed = dropped.length > 0 || record.aliases.length !== entry.aliases.length;
		if (changed) await this.#cache.changes(record.id);
		await this.#records.write(record, true);
		entry.isWarm = true;
		if (!changed) return;
		entry.aliases = record.aliases;
		this.#index.release(record.id, dropped);
	}

	async remove(entry: IndexEntry): Promise<void> {
		await markRemoved(this.#context, entry.id);
		this.#drop(entry);
		await this.#finishRemoval(entry.id);
	}

	async session(entry: IndexEntry): Promise<FilesSession> {
		const known = this.#loaded.get(entry.id);
		if (known) {
			this.#loaded.delete(entry.id);
			this.#loaded.set(entry.id, known);
			return known;
		}
		const session = await FilesSession.load(this.#context, entry);
		this.#loaded.set(entry.id, session);
		this.#unload();
		return session;
	}

	async recordInQueue(entry: IndexEntry): Promise<StoredRecord | null> {
		const { id, isWarm } = entry;
		const record = await (isWarm ? this.#records.readAtOnce(id) : this.#records.read(id));
		if (record === null && entry.logs.size === 0) {
			// Removed by hand, and nothing of it is left.
			await this.remove(entry);
			return null;
		}
		if (record !== null && record !== "corrupt") return record;
		const why = record === null ? "lost-meta" : "corrupt-meta";
		return this.#records.rebuild(entry.id, why, entry.logs, entry);
	}

	/** The record, without waiting for writers unless its file needs mending. */
	async record(entry: IndexEntry): Promise<StoredRecord | null> {
		const record = await this.#records.read(entry.id);
		if (record !== null && record !== "corrupt") return record;
		return this.queued(entry.id, async (now) => now && this.recordInQueue(now));
	}

	openedLog(id: string, name: string): LineLog | undefined {
		return this.#loaded.get(id)?.openedLog(name);
	}

	/** Every write renews the time to live (I7). */
	renew(entry: IndexEntry): void {
		if (entry.ttlMs !== null) entry.expiresAt = performance.now() + entry.ttlMs;
	}

	/** Removes what has expired. */
	async sweep(): Promise<void> {
		if (!this.#isOpen) return;
		for (const { id } of [...this.#index.mortal()]) {
			if (this.#closed) return;
			await this.#current(id);
		}
	}

	async #open(): Promise<void> {
		try {
			this.#index = await openIndex(this.#context, this.#cache, this.#records);
			await this.alarms.load((id) => this.#index.get(id) !== undefined);
			this.#isOpen = true;
		} catch (error) {
			throw fileError(error, this.#context.paths.folder);
		}
	}

	async #current(id: string): Promise<IndexEntry | null> {
		const entry = this.#index.get(id);
		if (!entry) return null;
		if (entry.ttlMs === null) return entry;
		if (entry.expiresAt === undefined) {
			const written = await this.#records.lastWrite(id, entry.logs);
			entry.expiresAt ??= performance.now() + written + entry.ttlMs - Date.now();
		}
		if (this.#index.get(id) !== entry) return this.#current(id);
		if (performance.now() < entry.expiresAt) return entry;
		this.#drop(entry);
		void this.#queues
			.run(id, () => this.#finishRemoval(id))
			.catch((error: Error) => {
				const path = this.#context.paths.meta(id);
				this.#context.report({ kind: "removal-failed", path, detail: error.message });
			});
		return null;
	}

	#drop(entry: IndexEntry): void {
		this.#index.remove(entry);
		this.#loaded.delete(entry.id);
		this.#leaving.set(entry.id, entry);
		this.#onGone(entry.id);
	}

	/** Also before the id is used again, and again after a failure. */
	async #finishRemoval(id: string): Promise<void> {
		const entry = this.#leaving.get(id);
		if (!entry) return;
		await markRemoved(this.#context, id);
		await this.#cache.changes(id);
		await this.alarms.clear(id);
		await removeFiles(this.#context, id, entry.logs);
		this.#leaving.delete(id);
	}

	#unload(): void {
		if (this.#loaded.size <= LOADED) return;
		for (const id of this.#loaded.keys()) {
			if (!this.#queues.isIdle(id)) continue;
			this.#loaded.delete(id);
			return;
		}
	}
}
