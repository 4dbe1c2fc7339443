import type { ListPosition } from "../driver";
import type { Commands } from "./commands";
import type { Keys } from "./keys";

/** An entry younger than this may be of a record that is just being created. */
const SETTLED_MS = 60_000;

/**
 * Which records there are, newest first: a sorted set per group, in a slot of its own. It is written
 * before the record, so every record is in it; an entry without a record is dropped when it is met. A
 * collection that is not listed has none.
 */
export class RecordIndex {
	readonly #commands: Commands;
	readonly #keys: Keys;

	constructor(commands: Commands, keys: Keys) {
		this.#commands = commands;
		this.#keys = keys;
	}

	async add(group: string, { createdAt, id }: ListPosition): Promise<void> {
		if (!this.#keys.listed) return;
		await this.#commands.call("ZADD", this.#keys.index(group), createdAt, id);
	}

	async remove(group: string, id: string): Promise<void> {
		if (!this.#keys.listed) return;
		await this.#commands.call("ZREM", this.#keys.index(group), id);
	}

	/** Drops an entry that was met without its record, unless that may still be on its way. */
	async dropStale(group: string, { createdAt, id }: ListPosition): Promise<void> {
		if (Date.now() - createdAt > SETTLED_MS) await this.remove(group, id);
	}

	/** Entries at random, so that creating records also clears away what expired. */
	async sample(group: string, count: number): Promise<ListPosition[]> {
		const key = this.#keys.index(group);
		return toPositions(await this.#commands.call("ZRANDMEMBER", key, count, "WITHSCORES"));
	}

	/** Up to `limit` entries after the position, in the order of a list. */
	async page(group: string, limit: number, after: ListPosition | null): Promise<ListPosition[]> {
		const key = this.#keys.index(group);
		const newest = after ? after.createdAt : "+inf";
		const found: ListPosition[] = [];
		for (let offset = 0; found.length < limit; offset += limit) {
			const reply = await this.#commands.call(
				...(["ZREVRANGEBYSCORE", key, newest, "-inf", "WITHSCORES"] as const),
				...(["LIMIT", offset, limit] as const),
			);
			const positions = toPositions(reply);
			for (const position of positions) {
				const passed = after && position.createdAt === after.createdAt && position.id >= after.id;
				if (!passed) found.push(position);
			}
			if (positions.length < limit) break;
		}
		return found.slice(0, limit);
	}
}

function toPositions(reply: unknown): ListPosition[] {
	const flat = reply as string[];
	const positions: ListPosition[] = [];
	for (let i = 0; i < flat.length; i += 2) {
		positions.push({ id: flat[i] as string, createdAt: Number(flat[i + 1]) });
	}
	return positions;
}
