import { notFound } from "../store-errors";
import type { Commands } from "./commands";
import type { Keys } from "./keys";

/**
 * The alarms of a collection: one sorted set, in a slot of its own. Where everything is on one server,
 * a script may change it together with a session; in a cluster it is changed in a step of its own.
 */
export class RedisAlarms {
	readonly #commands: Commands;
	readonly #keys: Keys;

	constructor(commands: Commands, keys: Keys) {
		this.#commands = commands;
		this.#keys = keys;
	}

	/** Whether a script that changes a session may set its alarm. */
	get shareScripts(): boolean {
		return this.#commands.keepsOrder;
	}

	async set(id: string, inMs: number): Promise<void> {
		const [exists] = await Promise.all([
			this.#commands.call("EXISTS", this.#keys.record(id)),
			this.#commands.write("setAlarm", [this.#keys.alarms], [id, inMs]),
		]);
		if (exists) return;
		await this.clear(id);
		throw notFound(id);
	}

	/**
	 * In a cluster an alarm is moved when it is due and nobody has set it since: who sets one before an
	 * append has appended by then, or sets it again.
	 */
	async postpone(id: string, log: string, last: number, inMs: number | null): Promise<boolean> {
		const [record, state] = [this.#keys.record(id), this.#keys.state(id)];
		if (this.shareScripts) {
			const keys = [record, state, this.#keys.alarms];
			const done = await this.#commands.write("postponeAlarm", keys, [id, log, last, inMs ?? ""]);
			if (done === null) throw notFound(id);
			return done === 1;
		}
		const dueAt = (await this.#commands.read("dueAt", [this.#keys.alarms], [id])) as string | null;
		const [found, exists] = await this.#commands.together([
			["HGET", state, `s:${log}`],
			["EXISTS", record],
		]);
		if (!exists) throw notFound(id);
		if (Number(found ?? 0) !== last) return false;
		if (dueAt !== null) {
			await this.#commands.write("moveAlarm", [this.#keys.alarms], [id, dueAt, inMs ?? ""]);
		}
		return true;
	}

	async clear(id: string): Promise<void> {
		await this.#commands.call("ZREM", this.#keys.alarms, id);
	}

	async due(limit: number): Promise<string[]> {
		const due: string[] = [];
		while (due.length < limit) {
			const wanted = limit - due.length;
			const keys = [this.#keys.alarms];
			const ids = (await this.#commands.read("dueAlarms", keys, [due.length, wanted])) as string[];
			const exist = await Promise.all(
				ids.map((id) => this.#commands.call("EXISTS", this.#keys.record(id))),
			);
			for (const [i, id] of ids.entries()) {
				if (exist[i]) due.push(id);
				else await this.clear(id);
			}
			if (ids.length < wanted) break;
		}
		return due;
	}
}
