import type { AliasChange, ListPosition, NewRecord, StoredRecord } from "../driver";
import { idInUse, notFound } from "../store-errors";
import { Aliases } from "./aliases";
import type { Changes } from "./changes";
import type { Commands } from "./commands";
import type { Keys } from "./keys";
import { RecordIndex } from "./record-index";

/** After so many new records that expire, twice as many are looked at: what is gone cannot pile up. */
const CLEARED_EVERY = 8;

/** The records of a collection, with their aliases and the index by which they are listed. */
export class RedisRecords {
	readonly #keys: Keys;
	readonly #commands: Commands;
	readonly #changes: Changes;
	readonly #aliases: Aliases;
	readonly #index: RecordIndex;
	/** Records made here that expire. */
	#expiring = 0;

	constructor(commands: Commands, keys: Keys, changes: Changes) {
		this.#keys = keys;
		this.#commands = commands;
		this.#changes = changes;
		this.#aliases = new Aliases(commands, keys, async (id, alias) =>
			Boolean((await this.get(id))?.aliases.includes(alias)),
		);
		this.#index = new RecordIndex(commands, keys);
	}

	async create(id: string, record: NewRecord): Promise<StoredRecord> {
		const { json, aliases, group, ttlMs, createdAt } = record;
		// The index first, so that every record is listed. On one connection nobody waits in between.
		const indexed = this.#index.add(group, { createdAt, id });
		if (!this.#commands.keepsOrder) await indexed;
		const fields = [json, createdAt, group, ttlMs ?? "", JSON.stringify(aliases)];
		const [[status]] = await Promise.all([this.#changes.run("create", id, fields), indexed]);
		if (status === "exists") {
			await this.#restoreIndex(id, group);
			throw idInUse(id);
		}
		try {
			await this.#aliases.claim(id, aliases, ttlMs);
		} catch (error) {
			await this.delete(id);
			throw error;
		}
		if (ttlMs !== null && this.#keys.listed) this.#clearNowAndThen(group);
		return { ...record, id, version: 1, updatedAt: createdAt };
	}

	async get(id: string): Promise<StoredRecord | null> {
		const keys = [this.#keys.record(id), this.#keys.state(id)];
		const reply = (await this.#commands.read("get", keys, [])) as (string | null)[] | null;
		return reply && decodeRecord(id, reply);
	}

	async find(alias: string): Promise<StoredRecord | null> {
		const id = await this.#aliases.resolve(alias);
		const record = id === null ? null : await this.get(id);
		return record?.aliases.includes(alias) ? record : null;
	}

	async update(
		id: string,
		change: (json: string) => string,
		{ add, remove }: AliasChange,
	): Promise<StoredRecord> {
		for (;;) {
			const record = await this.get(id);
			if (!record) throw notFound(id);
			await this.#aliases.checkFree(id, add);
			const kept = record.aliases.filter((alias) => !remove.includes(alias));
			const aliases = [...new Set([...kept, ...add])];
			const json = change(record.json);
			const updatedAt = Date.now();
			const fields = [record.version, json, updatedAt, JSON.stringify(aliases)];
			const [status] = await this.#changes.run("update", id, fields);
			if (status === "changed") continue;
			const taken =
				record.ttlMs === null ? aliases.filter((alias) => add.includes(alias)) : aliases;
			await this.#claimOrTakeBack(id, taken, add, record.ttlMs);
			await this.#aliases.release(id, remove);
			return { ...record, json, aliases, version: record.version + 1, updatedAt };
		}
	}

	async delete(id: string): Promise<void> {
		await this.#changes.inTurn(id, async () => {
			const keys = [this.#keys.record(id), this.#keys.state(id)];
			const reply = (await this.#commands.write("delete", keys, [])) as [string, string] | null;
			if (!reply) return;
			await this.#aliases.release(id, JSON.parse(reply[0]) as string[]);
			await this.#index.remove(reply[1], id);
			await this.#commands.call("ZREM", this.#keys.alarms, id);
		});
	}

	async list(group: string, limit: number, after: ListPosition | null): Promise<StoredRecord[]> {
		const records: StoredRecord[] = [];
		let position = after;
		while (records.length < limit) {
			const page = await this.#index.page(group, limit - records.length, position);
			const found = await Promise.all(page.map(({ id }) => this.get(id)));
			for (const [i, record] of found.entries()) {
				if (record) records.push(record);
				else await this.#index.dropStale(group, page[i] as ListPosition);
			}
			position = page.at(-1) ?? null;
			if (!position) break;
		}
		return records;
	}

	/** Alias keys cannot expire together with a record in another slot, so they outlive it by half. */
	async renewAliases(id: string): Promise<void> {
		const record = await this.get(id);
		if (!record?.ttlMs) return;
		const aliveMs = Math.ceil(record.ttlMs * 1.5);
		await this.#aliases.claim(id, record.aliases, aliveMs);
		await this.#changes.run("renewAliasesUntil", id, [aliveMs]);
	}

	/** After the record lists its new aliases: takes their keys, or removes them from the record. */
	async #claimOrTakeBack(
		id: string,
		aliases: readonly string[],
		added: readonly string[],
		ttlMs: number | null,
	): Promise<void> {
		try {
			await this.#aliases.claim(id, aliases, ttlMs);
		} catch (error) {
			await this.update(id, (json) => json, { add: [], remove: added });
			throw error;
		}
	}

	/** A create that met an existing record has moved its index entry: put it back. */
	async #restoreIndex(id: string, group: string): Promise<void> {
		const existing = await this.get(id);
		if (existing?.group !== group) await this.#index.remove(group, id);
		if (existing) await this.#index.add(existing.group, existing);
	}

	/** Housekeeping where records expire: nobody waits for it, and a failure shows at the next call. */
	#clearNowAndThen(group: string): void {
		this.#expiring += 1;
		if (this.#expiring % CLEARED_EVERY === 0) this.#dropSomeExpired(group).catch(() => {});
	}

	async #dropSomeExpired(group: string): Promise<void> {
		const sample = await this.#index.sample(group, CLEARED_EVERY * 2);
		await Promise.all(
			sample.map(async (position) => {
				const exists = await this.#commands.call("EXISTS", this.#keys.record(position.id));
				if (!exists) await this.#index.dropStale(group, position);
			}),
		);
	}
}

/** A record as the scripts return it. One that another program wrote has nothing but its JSON. */
export function decodeRecord(id: string, reply: readonly (string | null)[]): StoredRecord {
	const [json, version, createdAt, updatedAt, group, ttlMs, aliases] = reply;
	return {
		id,
		json: json as string,
		version: Number(version ?? 1),
		createdAt: Number(createdAt ?? 0),
		updatedAt: Number(updatedAt ?? 0),
		group: group ?? "",
		ttlMs: ttlMs ? Number(ttlMs) : null,
		aliases: JSON.parse(aliases ?? "[]") as string[],
	};
}
