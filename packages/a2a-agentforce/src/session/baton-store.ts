import { createHash } from "node:crypto";
import { type Collection, isBatonError, type JsonObject, type Store } from "@baton/session";
import { holdRecord } from "./hold-record";
import { checkContext, isOlder, mergeInto } from "./merge-mapping";
import { Mutexes } from "./mutexes";
import { DEFAULT_TENANT, type SessionMapping } from "./session-mapping";
import type { Hold, MappingChange, SharedSessionStore } from "./store";

interface BatonStoreOptions {
	/** An open store of the session core, or how to get it. */
	store: () => Promise<Store>;
	ttlSeconds: number;
	tenantId?: string;
}

/** A mapping as it is stored; without one, what is left of a mapping that was cleaned up. */
type Stored = JsonObject & (JsonOf<SessionMapping> | { removed: true });
type JsonOf<T> = JsonObject & { [K in keyof T]: T[K] };

/** Thrown inside a change when the aliases to write must be worked out again. */
const AGAIN = Symbol("again");

/**
 * Mappings in a store of the session core: the files of `npm start`, or Redis. There a mapping is
 * JSON under `session:<contextId>`, and `task:<taskId>` holds the context's id; other tenants' keys
 * begin with `tenant:<tenantId>:`. Every write renews the time to live of all of them.
 */
export class BatonStore implements SharedSessionStore {
	readonly #options: BatonStoreOptions;
	readonly #tenantId: string;
	readonly #writers = new Mutexes();

	constructor(options: BatonStoreOptions) {
		this.#options = options;
		this.#tenantId = options.tenantId ?? DEFAULT_TENANT;
	}

	async get(contextId: string): Promise<SessionMapping | null> {
		const collection = await this.#collection();
		return mappingOf(await collection.get(recordId(contextId)));
	}

	async set(contextId: string, session: SessionMapping): Promise<void> {
		await this.change(contextId, () => session);
	}

	async update(contextId: string, updates: Partial<SessionMapping>): Promise<void> {
		await this.change(contextId, mergeInto(contextId, updates));
	}

	async delete(contextId: string): Promise<void> {
		const collection = await this.#collection();
		await collection.delete(recordId(contextId));
	}

	async getByTaskId(taskId: string): Promise<SessionMapping | null> {
		const collection = await this.#collection();
		return mappingOf(await collection.find(taskId));
	}

	/**
	 * What is older than the time to live is gone by itself. What is younger, and older than asked,
	 * is emptied in one step, so that no mapping that was just renewed is ever removed.
	 */
	async cleanup(maxAgeSec: number): Promise<number> {
		const collection = await this.#collection();
		let removed = 0;
		let cursor: string | null = null;
		do {
			const page: Awaited<ReturnType<typeof collection.list>> = await collection.list({
				limit: 200,
				...(cursor !== null && { cursor }),
			});
			for (const record of page.records) {
				const mapping = mappingOf(record);
				if (!mapping || !isOlder(mapping, maxAgeSec)) continue;
				if (await emptyIfOlder(collection, record.id, record.aliases, maxAgeSec)) removed += 1;
			}
			cursor = page.cursor;
		} while (cursor !== null);
		return removed;
	}

	async change(contextId: string, change: MappingChange): Promise<SessionMapping | null> {
		const id = recordId(contextId);
		const collection = await this.#collection();
		// Writers of one process take turns, so that only processes ever meet.
		return this.#writers.run(id, async () => {
			for (;;) {
				const record = await collection.get(id);
				const before = mappingOf(record);
				const after = change(before);
				if (!after) return before;
				checkContext(contextId, after);
				const written = record
					? await this.#replace(collection, id, after, record.aliases, change)
					: await this.#create(collection, id, after);
				if (written) return written;
			}
		});
	}

	forTenant(tenantId: string): BatonStore {
		return new BatonStore({ ...this.#options, tenantId });
	}

	async hold(contextId: string, signal: AbortSignal): Promise<Hold> {
		return holdRecord(await this.#collection(), recordId(contextId), contextId, signal);
	}

	/** Null: another process came first. */
	async #create(collection: Collection<Stored>, id: string, session: SessionMapping) {
		try {
			const record = await collection.create(id, session as unknown as Stored, {
				aliases: session.a2aTaskIds,
				ttlMs: this.#options.ttlSeconds * 1_000,
			});
			return mappingOf(record);
		} catch (error) {
			if (!isBatonError(error, "already_exists")) throw error;
			if (await collection.get(id)) return null;
			throw error; // One of the tasks belongs to another context.
		}
	}

	/** Null: another process changed the tasks since they were read. */
	async #replace(
		collection: Collection<Stored>,
		id: string,
		{ a2aTaskIds }: SessionMapping,
		aliases: readonly string[],
		change: MappingChange,
	) {
		const wanted = new Set(a2aTaskIds);
		const replace = (value: Stored): Stored => {
			const after = change(toMapping(value));
			if (!after || !isSame(wanted, after.a2aTaskIds)) throw AGAIN;
			return after as unknown as Stored;
		};
		try {
			const record = await collection.update(id, replace, {
				addAliases: a2aTaskIds.filter((taskId) => !aliases.includes(taskId)),
				removeAliases: aliases.filter((taskId) => !wanted.has(taskId)),
			});
			return mappingOf(record);
		} catch (error) {
			if (error === AGAIN || isBatonError(error, "not_found")) return null;
			throw error;
		}
	}

	async #collection(): Promise<Collection<Stored>> {
		const store = await this.#options.store();
		if (this.#tenantId === DEFAULT_TENANT) {
			return store.collection(COLLECTION, { recordKey: "session", aliasKey: "task" });
		}
		const prefix = `tenant:${encodeURIComponent(this.#tenantId)}`;
		return store.collection(`${COLLECTION}-${digest(this.#tenantId).slice(0, 32)}`, {
			recordKey: `${prefix}:session`,
			aliasKey: `${prefix}:task`,
		});
	}
}

const COLLECTION = "agentforce-sessions";

/** A context id as it is, or, where the core allows no such id, a digest of it. */
function recordId(contextId: string): string {
	return /^(?!x_)[A-Za-z0-9_-]{1,128}$/.test(contextId) ? contextId : `x_${digest(contextId)}`;
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

function toMapping(value: Stored): SessionMapping | null {
	return "removed" in value ? null : (value as unknown as SessionMapping);
}

function mappingOf(record: { value: Stored } | null): SessionMapping | null {
	return record ? toMapping(record.value) : null;
}

function isSame(wanted: ReadonlySet<string>, taskIds: readonly string[]): boolean {
	return wanted.size === new Set(taskIds).size && taskIds.every((taskId) => wanted.has(taskId));
}

async function emptyIfOlder(
	collection: Collection<Stored>,
	id: string,
	removeAliases: readonly string[],
	maxAgeSec: number,
): Promise<boolean> {
	try {
		await collection.update(
			id,
			(value) => {
				const mapping = toMapping(value);
				if (!mapping || !isOlder(mapping, maxAgeSec)) throw AGAIN;
				return { removed: true };
			},
			{ removeAliases },
		);
		return true;
	} catch (error) {
		if (error === AGAIN || isBatonError(error, "not_found")) return false;
		throw error;
	}
}
