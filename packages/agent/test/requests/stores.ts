import { randomUUID } from "node:crypto";
import type { Collection, Store } from "@baton/session";
import { openFilesStore } from "@baton/session/files";
import { openMemoryStore } from "@baton/session/memory";
import { openRedisStore } from "@baton/session/redis";
import { requirePart, startRedis, tempDir } from "@baton/testkit";

/** One session store as two processes see it; memory and files have one process alone. */
export interface TwoSides {
	a: Collection;
	b: Collection;
	close(): Promise<void>;
}

interface StoreUnderTest {
	name: string;
	available: boolean;
	open(): Promise<TwoSides>;
}

const of = (store: Store) => store.collection("sessions");

export const stores: StoreUnderTest[] = [
	{
		name: "memory",
		available: true,
		async open() {
			const store = openMemoryStore();
			return { a: of(store), b: of(store), close: () => store.close() };
		},
	},
	{
		name: "files",
		available: true,
		async open() {
			const folder = await tempDir();
			const store = await openFilesStore({ dir: folder.path });
			return {
				a: of(store),
				b: of(store),
				async close() {
					await store.close();
					await folder.remove();
				},
			};
		},
	},
	{
		name: "redis, two stores",
		available: requirePart("redis-server"),
		async open() {
			const redis = await startRedis();
			const prefix = `${randomUUID()}:`;
			const one = await openRedisStore({ url: redis.url, prefix });
			const two = await openRedisStore({ url: redis.url, prefix });
			return {
				a: of(one),
				b: of(two),
				async close() {
					await one.close();
					await two.close();
					await redis.stop();
				},
			};
		},
	},
];
