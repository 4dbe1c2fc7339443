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
import { leaseLost } from "../local/leases";
import type { Appended, Lease, LeaseOptions, SessionState } from "../port";
import { keyReused, notFound, swapFailed } from "../store-errors";
import { Changes } from "./changes";
import type { Commands } from "./commands";
import type { Keys } from "./keys";
import { type LogKeys, readLog, tailLog } from "./read-log";
import { RedisRecords } from "./redis-records";
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
	readonly #changes: Changes;
	readonly #records: RedisRecords;

	constructor(parts: RedisCollectionParts) {
		this.pollMs = parts.pollMs;
		this.#keys = parts.keys;
		this.#commands = parts.commands;
		this.#wakes = parts.wakes;
		this.#changes = new Changes(parts.commands, parts.keys, parts.writer, parts.nextOperation);
		this.#records = new RedisRecords(parts.commands, parts.keys, this.#changes);
	}

	create(id: string, record: NewRecord): Promise<StoredRecord> {
		return this.#records.create(id, record);
	}

	get(id: string): Promise<StoredRecord | null> {
		return this.#records.get(id);
	}

	find(alias: string): Promise<StoredRecord | null> {
		return this.#records.find(alias);
	}

	update(
		id: string,
		change: (json: string) => string,
		aliases: AliasChange,
	): Promise<StoredRecord> {
		return this.#records.update(id, change, aliases);
	}

	delete(id: string): Promise<void> {
		return this.#records.delete(id);
	}

	list(group: string, limit: number, after: ListPosition | null): Promise<StoredRecord[]> {
		return this.#records.list(group, limit, after);
	}

	async increment(id: string, counter: string): Promise<number> {
		const [, value, aliasesDue] = await this.#changes.run("increment", id, [counter]);
		if (aliasesDue) await this.#records.renewAliases(id);
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
			`${this.#changes.writer}.${this.#commands.generation}`,
			lease ? lease.token : "",
			...(once || swap ? encodeConditions(once, swap) : [0]),
			...toChunks(lines),
		];
		const keys = [this.#keys.once(id), this.#keys.log(id, log)];
		const [status, first, last, aliasesDue] = await this.#changes.run("append", id, args, keys);
		if (status === "lease") throw leaseLost(lease as Lease);
		if (status === "key") throw keyReused(once?.key ?? "");
		if (status === "swap" && swap) throw swapFailed(swap, decodeRegister(String(first)));
		if (aliasesDue) await this.#records.renewAliases(id);
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
		const [, aliasesDue] = await this.#changes.run("trim", id, [log, firstKept], keys);
		if (aliasesDue) await this.#records.renewAliases(id);
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
		const [status, token, aliasesDue] = await this.#changes.run("takeLease", id, [holder, ttlMs]);
		if (status === "held") return null;
		if (aliasesDue) await this.#records.renewAliases(id);
		return { id, holder, token: Number(token), ttlMs };
	}

	async renewLease(lease: Lease, ttlMs: number): Promise<void> {
		const { id, token } = lease;
		const [status, aliasesDue] = await this.#changes.run("renewLease", id, [token, ttlMs]);
		if (status === "lease") throw leaseLost(lease);
		if (aliasesDue) await this.#records.renewAliases(id);
	}

	async releaseLease({ id, token }: Lease): Promise<void> {
		const keys = [this.#keys.record(id), this.#keys.state(id)];
		await this.#commands.write("releaseLease", keys, [token]);
	}

	async setAlarm(id: string, inMs: number): Promise<void> {
		const [exists] = await Promise.all([
			this.#commands.call("EXISTS", this.#keys.record(id)),
			this.#commands.write("setAlarm", [this.#keys.alarms], [id, inMs]),
		]);
		if (exists) return;
		await this.clearAlarm(id);
		throw notFound(id);
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

	#logKeys(id: string, log: string): LogKeys {
		return {
			id,
			log,
			record: this.#keys.record(id),
			state: this.#keys.state(id),
			stream: this.#keys.log(id, log),
		};
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
