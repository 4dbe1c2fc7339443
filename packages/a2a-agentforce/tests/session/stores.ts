import { randomUUID } from "node:crypto";
import { openStore, type Store } from "@baton/session";
import {
	type RedisCluster,
	type RedisServer,
	startRedis,
	startRedisCluster,
	tempDir,
} from "@baton/testkit";
import { BatonStore, MemoryStore, RedisStore, type SharedSessionStore } from "../../src/session";

/** A place for mappings. `second` is another process's view of the same, where there can be one. */
export interface TestStore {
	store: SharedSessionStore;
	second?: SharedSessionStore;
	dispose(): Promise<void>;
}

const servers: Partial<{ redis: Promise<RedisServer>; cluster: Promise<RedisCluster> }> = {};

async function redisStores(url: string, ttlSeconds: number): Promise<TestStore> {
	const options = { url, ttlSeconds, prefix: `${randomUUID()}:` };
	const stores = [new RedisStore(options), new RedisStore(options)] as const;
	return {
		store: stores[0],
		second: stores[1],
		dispose: async () => {
			for (const store of stores) await store.close();
		},
	};
}

export const STORES: Record<string, (ttlSeconds: number) => Promise<TestStore>> = {
	async memory() {
		return { store: new MemoryStore(), dispose: async () => {} };
	},
	async files(ttlSeconds) {
		const dir = await tempDir("baton-a2a-sessions");
		const files: Store = await openStore({ driver: "files", dir: dir.path });
		return {
			store: new BatonStore({ store: async () => files, ttlSeconds }),
			async dispose() {
				await files.close();
				await dir.remove();
			},
		};
	},
	async Redis(ttlSeconds) {
		servers.redis ??= startRedis();
		return redisStores((await servers.redis).url, ttlSeconds);
	},
	async "Redis Cluster"(ttlSeconds) {
		servers.cluster ??= startRedisCluster();
		const { nodes } = await servers.cluster;
		const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
		return redisStores(`redis+cluster://${hosts}`, ttlSeconds);
	},
};

export async function stopServers(): Promise<void> {
	await (await servers.redis)?.stop();
	await (await servers.cluster)?.stop();
	servers.redis = undefined;
	servers.cluster = undefined;
}
