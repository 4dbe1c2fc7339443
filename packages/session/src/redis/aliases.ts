import { aliasInUse } from "../store-errors";
import type { Commands } from "./commands";
import type { Keys } from "./keys";

/** Whether the record with this id is there and carries the alias. */
type CarriesAlias = (id: string, alias: string) => Promise<boolean>;

/**
 * Aliases on Redis. Each is a key of its own, in a slot of its own, that holds an id. The record
 * lists its aliases too, and the record is right: an alias key whose record does not list it is
 * stale, reads as absent, and may be taken.
 */
export class Aliases {
	readonly #commands: Commands;
	readonly #keys: Keys;
	readonly #carries: CarriesAlias;

	constructor(commands: Commands, keys: Keys, carries: CarriesAlias) {
		this.#commands = commands;
		this.#keys = keys;
		this.#carries = carries;
	}

	async resolve(alias: string): Promise<string | null> {
		return (await this.#commands.call("GET", this.#keys.alias(alias))) as string | null;
	}

	/** Rejects when one of the aliases belongs to another record now. Takes none. */
	async checkFree(id: string, aliases: readonly string[]): Promise<void> {
		await Promise.all(
			aliases.map(async (alias) => {
				const owner = await this.resolve(alias);
				if (owner === null || owner === id) return;
				if (await this.#carries(owner, alias)) throw aliasInUse(alias);
			}),
		);
	}

	/** Takes all of the aliases, or none and rejects. */
	async claim(id: string, aliases: readonly string[], ttlMs: number | null): Promise<void> {
		const claimed = await Promise.allSettled(
			aliases.map((alias) => this.#claimOne(id, alias, ttlMs)),
		);
		const failed = claimed.find((result) => result.status === "rejected");
		if (!failed) return;
		await this.release(
			id,
			aliases.filter((_, i) => claimed[i]?.status === "fulfilled"),
		);
		throw failed.reason;
	}

	async release(id: string, aliases: readonly string[]): Promise<void> {
		await Promise.all(
			aliases.map((alias) => this.#commands.write("releaseAlias", [this.#keys.alias(alias)], [id])),
		);
	}

	async #claimOne(id: string, alias: string, ttlMs: number | null): Promise<void> {
		let stale = "";
		for (;;) {
			const owner = (await this.#commands.write(
				"claimAlias",
				[this.#keys.alias(alias)],
				[id, stale, ttlMs ?? ""],
			)) as string;
			if (owner === id) return;
			if (await this.#carries(owner, alias)) throw aliasInUse(alias);
			stale = owner;
		}
	}
}
