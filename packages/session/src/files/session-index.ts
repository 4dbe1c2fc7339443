import type { ListPosition } from "../driver";
import { compareNewestFirst } from "../list-cursor";

/** What is known of every session without reading its files. */
export interface IndexEntry {
	readonly id: string;
	readonly createdAt: number;
	readonly group: string;
	aliases: readonly string[];
	readonly ttlMs: number | null;
	/** The logs that have a file, and the first event in it. */
	readonly logs: Map<string, number>;
	/** Spares looking for a journal where there is none. */
	hasJournal: boolean;
	/** This process has written its meta file, so the kernel has that in memory. */
	isWarm?: true;
	/** By the monotonic clock; undefined until looked up, after a restart. */
	expiresAt?: number;
}

/** All sessions of a collection: by id, by alias, and by group in the order of `list`. */
export class SessionIndex {
	readonly #entries = new Map<string, IndexEntry>();
	readonly #owners = new Map<string, string>();
	/** Oldest first, so that a new session goes to the end. */
	readonly #groups = new Map<string, IndexEntry[]>();
	readonly #mortal = new Set<IndexEntry>();

	get size(): number {
		return this.#entries.size;
	}

	get(id: string): IndexEntry | undefined {
		return this.#entries.get(id);
	}

	all(): Iterable<IndexEntry> {
		return this.#entries.values();
	}

	/** Sessions with a time to live. */
	mortal(): Iterable<IndexEntry> {
		return this.#mortal;
	}

	ownerOf(alias: string): string | undefined {
		return this.#owners.get(alias);
	}

	/** Many at once, at the start. */
	fill(entries: readonly IndexEntry[]): void {
		for (const entry of entries) {
			this.#register(entry);
			this.#group(entry.group).push(entry);
		}
		for (const group of this.#groups.values()) group.sort((a, b) => compareNewestFirst(b, a));
	}

	add(entry: IndexEntry): void {
		this.#register(entry);
		const group = this.#group(entry.group);
		group.splice(countOlder(group, entry), 0, entry);
	}

	remove(entry: IndexEntry): void {
		this.#entries.delete(entry.id);
		this.#mortal.delete(entry);
		this.release(entry.id, entry.aliases);
		const group = this.#group(entry.group);
		group.splice(countOlder(group, entry), 1);
		if (group.length === 0) this.#groups.delete(entry.group);
	}

	claim(id: string, aliases: readonly string[]): void {
		for (const alias of aliases) this.#owners.set(alias, id);
	}

	release(id: string, aliases: readonly string[]): void {
		for (const alias of aliases) {
			if (this.#owners.get(alias) === id) this.#owners.delete(alias);
		}
	}

	/** Newest first, those that come after the position. */
	page(group: string, limit: number, after: ListPosition | null): IndexEntry[] {
		const entries = this.#groups.get(group) ?? [];
		const end = after ? countOlder(entries, after) : entries.length;
		return entries.slice(Math.max(end - limit, 0), end).reverse();
	}

	#register(entry: IndexEntry): void {
		this.#entries.set(entry.id, entry);
		this.claim(entry.id, entry.aliases);
		if (entry.ttlMs !== null) this.#mortal.add(entry);
	}

	#group(name: string): IndexEntry[] {
		let group = this.#groups.get(name);
		if (!group) {
			group = [];
			this.#groups.set(name, group);
		}
		return group;
	}
}

/** How many of the entries, oldest first, are older than the position. */
function countOlder(entries: readonly IndexEntry[], position: ListPosition): number {
	let [low, high] = [0, entries.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (compareNewestFirst(entries[middle] as IndexEntry, position) > 0) low = middle + 1;
		else high = middle;
	}
	return low;
}
