import { createHash, timingSafeEqual } from "node:crypto";
import { BatonError } from "@baton/session";

/** An owner's name goes into log lines, groups and keys, so it is plain. */
const OWNER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MIN_KEY_LENGTH = 16;

/**
 * Who a key belongs to. Every door resolves its credentials here, and a session belongs to the owner
 * that made it. Keys are kept as hashes, and compared in a time that does not depend on them.
 */
export class ApiKeys {
	readonly #keys: readonly { owner: string; hash: Buffer }[];

	private constructor(keys: readonly { owner: string; hash: Buffer }[]) {
		this.#keys = keys;
	}

	/** From `owner:key,owner:key`. An owner may have several keys, a key one owner. */
	static parse(text: string): ApiKeys {
		const keys = text
			.split(",")
			.map((pair) => pair.trim())
			.filter((pair) => pair !== "")
			.map((pair, i) => parsePair(pair, i + 1));
		const seen = new Set(keys.map(({ hash }) => hash.toString("hex")));
		if (seen.size < keys.length) throw invalid("the same key stands there twice");
		return new ApiKeys(keys);
	}

	get owners(): string[] {
		return [...new Set(this.#keys.map(({ owner }) => owner))];
	}

	/** The owner of this key, or null. */
	resolve(key: string): string | null {
		const given = hashOf(key);
		let found: string | null = null;
		for (const { owner, hash } of this.#keys) {
			if (timingSafeEqual(given, hash)) found = owner;
		}
		return found;
	}
}

function parsePair(pair: string, position: number): { owner: string; hash: Buffer } {
	const colon = pair.indexOf(":");
	const owner = pair.slice(0, Math.max(colon, 0));
	const key = pair.slice(colon + 1);
	// The pair itself is a secret, so the message names only its place.
	if (colon < 1) throw invalid(`entry ${position} is not owner:key`);
	if (!OWNER.test(owner)) throw invalid(`the owner of entry ${position} is not a plain name`);
	if (key.length < MIN_KEY_LENGTH) {
		throw invalid(`the key of entry ${position} has fewer than ${MIN_KEY_LENGTH} characters`);
	}
	return { owner, hash: hashOf(key) };
}

function hashOf(key: string): Buffer {
	return createHash("sha256").update(key).digest();
}

function invalid(reason: string): BatonError {
	return new BatonError("invalid", `API keys: ${reason}. They look like owner:key,owner:key.`);
}
