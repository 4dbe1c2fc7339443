import type { Collection, CollectionOptions, FollowBatch, JsonObject, Store } from "@baton/session";

/** Every call that is answered once. A method that the port gets is asked for here by the types. */
const METHODS = {
	create: true,
	get: true,
	find: true,
	update: true,
	delete: true,
	list: true,
	increment: true,
	append: true,
	read: true,
	tail: true,
	trim: true,
	state: true,
	takeLease: true,
	renewLease: true,
	releaseLease: true,
	setAlarm: true,
	postponeAlarm: true,
	clearAlarm: true,
	dueAlarms: true,
} satisfies Record<Exclude<keyof Collection, "name" | "follow" | "expect">, true>;

export type StoreMethod = keyof typeof METHODS;

/** One call to a collection, as it is made. */
export interface StoreCall {
	readonly method: StoreMethod;
	readonly collection: string;
	readonly args: readonly unknown[];
}

/** Stands beside a store and looks on. It changes nothing about what a call does or returns. */
export interface StoreObserver {
	/** Does the work, once, and passes on what came of it. */
	around<T>(call: StoreCall, work: () => Promise<T>): Promise<T>;
	/** What a follower is about to be given. */
	followed?(sessionId: string, batch: FollowBatch): void;
}

/** The same store, with an observer beside every call. */
export function observeStore(store: Store, observer: StoreObserver): Store {
	const collections = new Map<string, Collection>();
	return {
		driver: store.driver,
		check: () => store.check(),
		close: () => store.close(),
		collection<V extends JsonObject>(name: string, options?: CollectionOptions) {
			let observed = collections.get(name);
			if (!observed) {
				observed = observeCollection(store.collection(name, options), observer);
				collections.set(name, observed);
			}
			return observed as unknown as Collection<V>;
		},
	};
}

function observeCollection(collection: Collection, observer: StoreObserver): Collection {
	const calls = Object.keys(METHODS).map((name) => {
		const method = name as StoreMethod;
		const call = collection[method].bind(collection) as (...args: unknown[]) => Promise<unknown>;
		const observed = (...args: unknown[]) =>
			observer.around({ method, collection: collection.name, args }, () => call(...args));
		return [method, observed];
	});
	return {
		...(Object.fromEntries(calls) as Pick<Collection, StoreMethod>),
		name: collection.name,
		expect: (id, log) => collection.expect(id, log),
		follow(id, log, options) {
			const batches = collection.follow(id, log, options);
			return observer.followed ? observeFollow(id, batches, observer) : batches;
		},
	};
}

async function* observeFollow(
	id: string,
	batches: AsyncIterable<FollowBatch>,
	observer: StoreObserver,
): AsyncGenerator<FollowBatch, void, undefined> {
	for await (const batch of batches) {
		observer.followed?.(id, batch);
		yield batch;
	}
}
