import { type RedisServer, requirePart, startRedis, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Collection, Store } from "../../src/port";
import { openRedisStore, type RedisStoreOptions } from "../../src/redis";
import { collect } from "../collect";

/* A reader's cursor outlives its process, so it must never be of an event that a failover takes back. */
describe.skipIf(!requirePart("redis-server"))("readers of a store that waits for replicas", () => {
	let redis: RedisServer;
	let admin: Redis;
	const stores: Store[] = [];
	beforeAll(async () => {
		redis = await startRedis();
		admin = new Redis(redis.url);
	});
	afterAll(async () => {
		for (const store of stores) await store.close();
		admin.disconnect();
		await redis.stop();
	});

	async function openSessions(options: Partial<RedisStoreOptions> = {}): Promise<Collection> {
		const store = await openRedisStore({ url: redis.url, ...options });
		stores.push(store);
		return store.collection("sessions");
	}

	const isWaiting = async () => {
		const line = String(await admin.client("LIST"))
			.split("\n")
			.find((client) => client.includes("cmd=wait") && / flags=\w*b/.test(client));
		return line && Number(/^id=(\d+)/.exec(line)?.[1]);
	};

	it("see nothing of a server that was replaced before its replicas had it", async () => {
		const writer = await openSessions();
		const reader = await openSessions({ waitReplicas: 1, waitTimeoutMs: 2_000 });
		await writer.create("a", {});
		await writer.append("a", "events", ["taken back"]);
		const reading = reader.read("a", "events");
		const client = await waitFor(isWaiting);
		await admin.flushall();
		await writer.create("a", {});
		await writer.append("a", "events", ["kept"]);
		await admin.call("CLIENT", "KILL", "ID", client);
		expect((await reading).entries.map(({ event }) => event)).toEqual(["kept"]);
	});

	it("are shown an event that others announce when it was waited for, not before", async () => {
		const writer = await openSessions();
		const reader = await openSessions({ waitReplicas: 1, waitTimeoutMs: 1_000 });
		await writer.create("b", {});
		const seen = collect(reader, "b");
		await writer.append("b", "events", ["one"]);
		await waitFor(() => seen.events.length === 1);
		await writer.append("b", "events", ["two"]);
		await waitFor(isWaiting);
		expect(seen.events.length).toBe(1);
		await waitFor(() => seen.events.length === 2);
		await seen.stop();
	});
});
