import type { CollectionDriver, StoreDriver } from "../driver";
import { MemoryCollection } from "./memory-collection";

export class MemoryDriver implements StoreDriver {
	readonly name = "memory";
	readonly #collections: MemoryCollection[] = [];

	collection(): CollectionDriver {
		const collection = new MemoryCollection();
		this.#collections.push(collection);
		return collection;
	}

	async check(): Promise<void> {}

	async close(): Promise<void> {
		for (const collection of this.#collections) collection.close();
	}
}
