import type {
	AliasChange,
	AppendConditions,
	CollectionDriver,
	ListPosition,
	NewRecord,
	RawSlice,
	StoredRecord,
	Wake,
} from "../driver";
import { BatonError } from "../errors";
import { leaseLost } from "../local/leases";
import type { Appended, Lease, LeaseOptions, SessionState } from "../port";
import { SerialQueues } from "../serial-queues";
import { idInUse, keyReused, notFound, swapFailed } from "../store-errors";
import { Aliases } from "./aliases";
import type { Commands, ScriptArguments } from "./commands";
import type { Keys } from "./keys";
import { type LogKeys, readLog, tailLog } from "./read-log";
import { RecordIndex } from "./record-index";
import type { ScriptName } from "./scripts";
import { toChunks } from "./stream-chunks";

import type { WakeChannel } from "./wake-channel";

interface RedisCollectionParts {
	keys: Keys;
	commands: Commands;
	wakes: WakeChannel;
	/** Names this process to the scripts. */
	writer: string;
	nextOperation: () => number;
	pollMs: number;
}

export class RedisCollection implements CollectionDriver {
	readonly pollMs: number;
	readonly #keys: Keys;
	readonly #commands: Commands;
	readonly #wakes: WakeChannel;
	readonly #writer: string;
	readonly #nextOperation: () => number;
	readonly #queue = new SerialQueues();
	readonly #aliases: Aliases;
	readonly #index: RecordIndex;

	constructor(parts: RedisCollectionParts) {
		this.pollMs = parts.pollMs;
		this.#keys = parts.keys;
		this.#commands = parts.commands;
		this.#wakes = parts.wakes;
		this.#writer = parts.writer;
		this.#nextOperation = parts.nextOperation;
		this.#aliases = new Aliases(parts.commands, parts.keys, async (id, alias) =>
			Boolean((await this.get(id))?.aliases.includes(alias)),
		);
		this.#index = new RecordIndex(parts.commands, parts.keys);
	}

	async create(id: string, record: NewRecord): Promise<StoredRecord> {
		const { json, aliases, group, ttlMs, createdAt } = record;
		// The index first, so that every record is listed. On one connection nobody waits in between.
		const indexed = this.#index.add(group, { createdAt, id });
		if (!this.#commands.keepsOrder) await indexed;
		const fields = [json, createdAt, group, ttlMs ?? "", JSON.stringify(aliases)];
		const [[status]] = await Promise.all([this.#change("create", id, fields), indexed]);
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
		// Housekeeping: nobody waits for it, and a failure shows at the next call.
		this.#dropSomeExpired(group).catch(() => {});
		return { ...record, id, version: 1, updatedAt: createdAt };
	}

	async get(id: string): Promise<StoredRecord | null> {
		const keys = [this.#keys.record(id), this.#keys.state(id)];
		const reply = (await this.#commands.read("get", keys, [])) as (string | null)[] | null;
		if (!reply) return null;
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
			const [status] = await this.#change("update", id, fields);
			if (status === "changed") continue;
			const taken =
				record.ttlMs === null ? aliases.filter((alias) => add.includes(alias)) : aliases;
			await this.#claimOrTakeBack(id, taken, add, record.ttlMs);
			await this.#aliases.release(id, remove);
			return { ...record, json, aliases, version: record.version + 1, updatedAt };
		}
	}

	async delete(id: string): Promise<void> {
		await this.#queue.run(id, async () => {
			const keys = [this.#keys.record(id), this.#keys.state(id)];
			const reply = (await this.#commands.write("delete", keys, [])) as [string, string] | null;
			if (!reply) return;
			await this.#aliases.release(id, JSON.parse(reply[0]) as string[]);
			await this.#index.remove(reply[1], id);
			await this.clearAlarm(id);
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

	async increment(id: string, counter: string): Promise<number> {
		const [, value, aliasesDue] = await this.#change("increment", id, [counter]);
		if (aliasesDue) await this.#renewAliases(id);
		return Number(value);
	}

	async append(
		id: string,
		log: string,
		lines: readonly string[],
		{ lease, once, swap }: AppendConditions,
	): Promise<Appended> {
		const args = () => [
			log,
			// Of the connection that it goes over: one sent again may meet a server that lost events.
			`${this.#writer}.${this.#commands.generation}`,
			lease ? lease.token : "",
			...(once || swap ? encodeConditions(once, swap) : [0]),
			...toChunks(lines),
		];
		const keys = [this.#keys.once(id), this.#keys.log(id, log)];
		const [status, first, last, aliasesDue] = await this.#change("append", id, args, keys);
		if (status === "lease") throw leaseLost(lease as Lease);
		if (status === "key") throw keyReused(once?.key ?? "");
		if (status === "swap" && swap) throw swapFailed(swap, decodeRegister(String(first)));
		if (aliasesDue) await this.#renewAliases(id);
		return { first: Number(first), last: Number(last), repeated: status === "repeat" };
	}

	async read(id: string, log: string, after: number, limit: number): Promise<RawSlice> {
		return readLog(this.#commands, this.#logKeys(id, log), after, limit);
	}

	async tail(id: string, log: string, count: number): Promise<RawSlice> {
		return tailLog(this.#commands, this.#logKeys(id, log), count);
	}

	async trim(id: string, log: string, firstKept: number): Promise<void> {
		const keys = [this.#keys.log(id, log)];
		const [, aliasesDue] = await this.#change("trim", id, [log, firstKept], keys);
		if (aliasesDue) await this.#renewAliases(id);
	}

	async state(id: string, log: string): Promise<SessionState> {
		const keys = [this.#keys.record(id), this.#keys.state(id)];
		const reply = (await this.#commands.read("state", keys, [log])) as (string | number)[] | null;
		if (!reply) throw notFound(id);
		const [first, last, holder, token, remainingMs, ...registers] = reply;
		const values: Record<string, string> = {};
		for (let i = 0; i < registers.length; i += 2) {
			values[String(registers[i])] = String(registers[i + 1]);
		}
		return {
			first: Number(first),
			last: Number(last),
			registers: values,
			lease:
				token === ""
					? null
					: { holder: String(holder), token: Number(token), remainingMs: Number(remainingMs) },
		};
	}

	watch(id: string, log: string, listener: (wake: Wake) => void): () => void {
		return this.#wakes.watch(this.#keys.log(id, log), listener);
	}

	async takeLease(id: string, { holder, ttlMs }: LeaseOptions): Promise<Lease | null> {
		const [status, token, aliasesDue] = await this.#change("takeLease", id, [holder, ttlMs]);
		if (status === "held") return null;
		if (aliasesDue) await this.#renewAliases(id);
		return { id, holder, token: Number(token), ttlMs };
	}

	async renewLease(lease: Lease, ttlMs: number): Promise<void> {
		const { id, token } = lease;
		const [status, aliasesDue] = await this.#change("renewLease", id, [token, ttlMs]);
		if (status === "lease") throw leaseLost(lease);
		if (aliasesDue) await this.#renewAliases(id);
	}

	async releaseLease({ id, token }: Lease): Promise<void> {
		const keys = [this.#keys.record(id), this.#keys.state(id)];
		await this.#commands.write("releaseLease", keys, [token]);
	}

	async setAlarm(id: string, inMs: number): Promise<void> {
		if ((await this.#commands.call("EXISTS", this.#keys.record(id))) === 0) throw notFound(id);
		await this.#commands.write("setAlarm", [this.#keys.alarms], [id, inMs]);
	}

	async clearAlarm(id: string): Promise<void> {
		await this.#commands.call("ZREM", this.#keys.alarms, id);
	}

	async dueAlarms(limit: number): Promise<string[]> {
		const due: string[] = [];
		while (due.length < limit) {
			const wanted = limit - due.length;
			const keys = [this.#keys.alarms];
			const ids = (await this.#commands.read("dueAlarms", keys, [due.length, wanted])) as string[];
			for (const id of ids) {
				if (await this.#commands.call("EXISTS", this.#keys.record(id))) due.push(id);
				else await this.clearAlarm(id);
			}
			if (ids.length < wanted) break;
		}
		return due;
	}

	/** Runs a script under an operation number, one after the other for each session. */
	async #change(
		name: ScriptName,
		id: string,
		args: ScriptArguments,
		moreKeys: readonly string[] = [],
	): Promise<(string | number)[]> {
		const keys = [this.#keys.record(id), this.#keys.state(id), ...moreKeys];
		const reply = await this.#queue.run(id, () => {
			const head = [this.#writer, this.#nextOperation()];
			const send = () => [...head, ...(typeof args === "function" ? args() : args)];
			return this.#commands.write(name, keys, send);
		});
		const [status] = reply as (string | number)[];
		if (status === "absent") throw notFound(id);
		if (status === "stale") {
			throw new BatonError(
				"unavailable",
				`A newer operation on session "${id}" overtook this one.`,
			);
		}
		return reply as (string | number)[];
	}

	#logKeys(id: string, log: string): LogKeys {
		return {
			id,
			log,
			record: this.#keys.record(id),
			state: this.#keys.state(id),
			stream: this.#keys.log(id, log),
		};
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

	/** Alias keys cannot expire together with a record in another slot, so they outlive it by half. */
	async #renewAliases(id: string): Promise<void> {
		const record = await this.get(id);
		if (!record?.ttlMs) return;
		const aliveMs = Math.ceil(record.ttlMs * 1.5);
		await this.#aliases.claim(id, record.aliases, aliveMs);
		await this.#change("renewAliasesUntil", id, [aliveMs]);
	}

	/** A create that met an existing record has moved its index entry: put it back. */
	async #restoreIndex(id: string, group: string): Promise<void> {
		const existing = await this.get(id);
		if (existing?.group !== group) await this.#index.remove(group, id);
		if (existing) await this.#index.add(existing.group, existing);
	}

	async #dropSomeExpired(group: string): Promise<void> {
		for (const position of await this.#index.sample(group)) {
			const exists = await this.#commands.call("EXISTS", this.#keys.record(position.id));
			if (!exists) await this.#index.dropStale(group, position);
		}
	}
}

function encodeConditions(
	once: AppendConditions["once"],
	swap: AppendConditions["swap"],
): (string | number)[] {
	const key = [once?.key ?? "", once?.digest ?? ""];
	const register = [swap?.register ?? "", encodeRegister(swap?.from), encodeRegister(swap?.to)];
	return [key.length + register.length, ...key, ...register];
}

function encodeRegister(value: string | null | undefined): string {
	return value === null || value === undefined ? "" : `=${value}`;
}

function decodeRegister(text: string): string | null {
	return text === "" ? null : text.slice(1);
}
