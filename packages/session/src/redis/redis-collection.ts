import type {
	AliasChange,
	AppendStep,
	CollectionDriver,
	ListPosition,
	NewRecord,
	RawSlice,
	Recent,
	StoredAppend,
	StoredRecord,
	Wake,
} from "../driver";
import { leaseLost } from "../local/leases";
import type { Lease, LeaseOptions, SessionState } from "../port";
import { keyReused, movedOn, notFound, swapFailed } from "../store-errors";
import { decodeRegister, encodeConditions, encodeStep, isMore } from "./append-arguments";
import { Changes } from "./changes";
import type { Commands } from "./commands";
import type { Keys } from "./keys";
import { type LogKeys, readLog, tailLog } from "./read-log";
import { RedisAlarms } from "./redis-alarms";
import { decodeRecord, RedisRecords } from "./redis-records";
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
	readonly #alarms: RedisAlarms;

	constructor(parts: RedisCollectionParts) {
		this.pollMs = parts.pollMs;
		this.#keys = parts.keys;
		this.#commands = parts.commands;
		this.#wakes = parts.wakes;
		this.#changes = new Changes(parts.commands, parts.keys, parts.writer, parts.nextOperation);
		this.#records = new RedisRecords(parts.commands, parts.keys, this.#changes);
		this.#alarms = new RedisAlarms(parts.commands, parts.keys);
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
		step: AppendStep,
	): Promise<StoredAppend> {
		const { lease, once, swap, ifLast, alarmMs } = step;
		const apart = alarmMs !== undefined && !this.#alarms.shareScripts;
		const begin = performance.now();
		if (apart) await this.#alarms.set(id, alarmMs);
		const reply = await this.#runAppend(id, log, lines, step);
		const [status, first, last, aliasesDue] = reply;
		if (status === "lease") throw leaseLost(lease as Lease);
		if (status === "key") throw keyReused(once?.key ?? "");
		if (status === "swap" && swap) throw swapFailed(swap, decodeRegister(String(first)));
		if (status === "moved") throw movedOn(log, ifLast as number, Number(first));
		// One that came due before it could be seen may have been taken for nothing.
		if (apart && performance.now() - begin > alarmMs / 2) await this.#alarms.set(id, alarmMs);
		const appended = { first: Number(first), last: Number(last), repeated: status === "repeat" };
		if (appended.repeated) return appended;
		if (aliasesDue) await this.#records.renewAliases(id);
		if (reply.length <= 5) return appended;
		const more = { ...appended, ...decodeMore(id, step, reply) };
		// An answer that comes again has the token, and not how the session stood.
		const unknown = step.takeLease && !more.taken && Number(reply[5]);
		if (unknown) await this.releaseLease({ id, ...step.takeLease, token: unknown } as Lease);
		return more;
	}

	async #runAppend(
		id: string,
		log: string,
		lines: readonly string[],
		step: AppendStep,
	): Promise<(string | number)[]> {
		const { alarmMs = step.settle?.alarmMs } = step;
		const more = isMore(step);
		const { alarms } = this.#keys;
		const shared = this.#alarms.shareScripts && alarmMs !== undefined;
		const rest = more
			? encodeStep(step, shared ? { id, inMs: alarmMs } : null)
			: encodeConditions(step);
		const rows = [...(step.before ?? []), ...(step.after ?? [])];
		let epoch = "";
		const args = () => {
			// Of the connection that it goes over: one sent again may meet a server that lost events.
			epoch = `${this.#changes.writer}.${this.#commands.generation}`;
			return [log, epoch, step.lease ? step.lease.token : "", ...rest, ...toChunks(lines)];
		};
		const channel = this.#keys.log(id, log);
		const keys = [this.#keys.once(id), channel];
		if (more) keys.push(this.#alarms.shareScripts ? alarms : channel);
		const wasLive = this.#wakes.isLive(channel);
		try {
			const reply = await this.#changes.run(more ? "step" : "append", id, args, keys);
			const [status, first, , , mark] = reply;
			if (status === "ok") {
				const pushed = { first: Number(first), lines, mark: String(mark) };
				this.#wakes.appended(channel, { epoch, pushed }, wasLive);
				for (const row of rows) this.#wakes.appended(this.#keys.log(id, row.log), {}, false);
			}
			return reply;
		} catch (error) {
			// It may be stored all the same, and nobody else tells of it here.
			this.#wakes.appended(channel, {}, false);
			throw error;
		}
	}

	async read(
		id: string,
		log: string,
		after: number,
		limit: number,
		some = false,
	): Promise<RawSlice> {
		const keys = this.#logKeys(id, log);
		return this.#confirmed(id, () => readLog(this.#commands, keys, after, limit, some));
	}

	async tail(id: string, log: string, count: number): Promise<RawSlice> {
		return this.#confirmed(id, () => tailLog(this.#commands, this.#logKeys(id, log), count));
	}

	async trim(id: string, log: string, firstKept: number): Promise<void> {
		const keys = [this.#keys.log(id, log)];
		const [, aliasesDue] = await this.#changes.run("trim", id, [log, firstKept], keys);
		this.#wakes.appended(this.#keys.log(id, log), {}, false);
		if (aliasesDue) await this.#records.renewAliases(id);
	}

	async state(id: string, log: string): Promise<SessionState> {
		const keys = [this.#keys.record(id), this.#keys.state(id)];
		const reply = await this.#confirmed(
			id,
			() => this.#commands.read("state", keys, [log]) as Promise<(string | number)[] | null>,
		);
		if (!reply) throw notFound(id);
		const [first, last, holder, token, remainingMs, ...registers] = reply;
		return {
			first: Number(first),
			last: Number(last),
			registers: decodeRegisters(registers),
			lease:
				token === ""
					? null
					: { holder: String(holder), token: Number(token), remainingMs: Number(remainingMs) },
		};
	}

	watch(id: string, log: string, listener: (wake: Wake) => void): () => void {
		return this.#wakes.watch(this.#keys.log(id, log), listener);
	}

	expect(id: string, log: string): void {
		this.#wakes.expect(this.#keys.log(id, log));
	}

	live(id: string, log: string): Promise<void> {
		return this.#wakes.live(this.#keys.log(id, log));
	}

	recent(id: string, log: string, after: number): Recent | null {
		return this.#wakes.recent(this.#keys.log(id, log), after);
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

	setAlarm(id: string, inMs: number): Promise<void> {
		return this.#alarms.set(id, inMs);
	}

	postponeAlarm(id: string, log: string, last: number, inMs: number | null): Promise<boolean> {
		return this.#alarms.postpone(id, log, last, inMs);
	}

	clearAlarm(id: string): Promise<void> {
		return this.#alarms.clear(id);
	}

	dueAlarms(limit: number): Promise<string[]> {
		return this.#alarms.due(limit);
	}

	/** Nothing that is read is taken back by a failover, as far as replicas are waited for. */
	#confirmed<T>(id: string, read: () => Promise<T>): Promise<T> {
		return this.#commands.confirmed(this.#keys.seen(id), read);
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

/** What `step.lua` adds to the answer of an append. */
function decodeMore(
	id: string,
	{ takeLease, settle }: AppendStep,
	[, , , , , token, changed, record, registers]: readonly unknown[],
): Partial<StoredAppend> {
	const recordChanged = settle ? { recordChanged: changed === 1 } : {};
	if (!takeLease || !record) return recordChanged;
	return {
		...recordChanged,
		taken: {
			lease: { id, ...takeLease, token: Number(token) },
			record: decodeRecord(id, record as (string | null)[]),
			registers: decodeRegisters(registers as string[]),
		},
	};
}

function decodeRegisters(flat: readonly (string | number)[]): Record<string, string> {
	const values: Record<string, string> = {};
	for (let i = 0; i < flat.length; i += 2) values[String(flat[i])] = String(flat[i + 1]);
	return values;
}
