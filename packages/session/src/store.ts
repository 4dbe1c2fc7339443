import { DriverCollection } from "./collection";
import type { StoreDriver } from "./driver";
import type { JsonObject } from "./json";
import type { Collection, CollectionOptions, Store } from "./port";
import { checkName, checkText } from "./validate";

/** Makes a store of a driver. This is all that a driver of your own needs to be used, and tested. */
export function createStore(driver: StoreDriver): Store {
	const collections = new Map<string, DriverCollection<JsonObject>>();
	return {
		driver: driver.name,
		collection<V extends JsonObject>(name: string, options: CollectionOptions = {}) {
			checkName("collection", name);
			let collection = collections.get(name);
			if (!collection) {
				const recordKey = options.recordKey ?? name;
				const aliasKey = options.aliasKey ?? `${recordKey}:alias`;
				checkText("group", recordKey);
				checkText("group", aliasKey);
				const keys = { recordKey, aliasKey, listed: options.listed ?? true };
				collection = new DriverCollection(name, driver.collection(name, keys), keys.listed);
				collections.set(name, collection);
			}
			return collection as unknown as Collection<V>;
		},
		check: () => driver.check(),
		close: () => driver.close(),
	};
}
