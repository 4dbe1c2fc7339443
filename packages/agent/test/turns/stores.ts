import { randomUUID } from "node:crypto";
import { openStore, type Store } from "@baton/session";
import {
	type RedisCluster,
	type RedisServer,
	startRedis,
	startRedisCluster,
	tempDir,
} from "@baton/testkit";

/** A kind of store that turns are tested on. `open` may be called again for another process's view. */
export interface TestStore {
	open(): Promise<Store>;
	dispose(): Promise<void>;
	/** Whether two stores may be open on the data at once. */
	shared: boolean;
	/** Whether data outlives a store. */
	durable: boolean;
}

export const STORES: Record<string, () => Promise<TestStore>> = {
	async memory() {
		const store = await openStore({ driver: "memory" });
		return { open: async () => store, dispose: () => store.close(), shared: false, durable: false };
	},
	async files() {
		const dir = await tempDir("baton-turns");
		let store: Store | undefined;
		return {
			async open() {
				await store?.close();
				store = await openStore({ driver: "files", dir: dir.path });
				return store;
			},
			async dispose() {
				await store?.close();
				await dir.remove();
			},
			shared: false,
			durable: true,
		};
	},
	async redis() {
		redis ??= startRedis();
		return onRedis((await redis).url);
	},
	async cluster() {
		cluster ??= startRedisCluster();
		const hosts = (await cluster).urls.map((url) => new URL(url).host);
		return onRedis(`redis+cluster://${hosts.join(",")}`);
	},
};

function onRedis(url: string): TestStore {
	const prefix = `${randomUUID()}:`;
	const opened: Store[] = [];
	return {
		async open() {
			const store = await openStore({ driver: "redis", url, prefix });
			opened.push(store);
			return store;
		},
		async dispose() {
			for (const store of opened) await store.close();
		},
		shared: true,
		durable: true,
	};
}

let redis: Promise<RedisServer> | undefined;
let cluster: Promise<RedisCluster> | undefined;

export async function stopRedis(): Promise<void> {
	await (await redis)?.stop();
	await (await cluster)?.stop();
	redis = undefined;
	cluster = undefined;
}
