import { type RedisServer, requirePart, startRedis, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";

const AN_HOUR_MS = 3_600_000;

describe.skipIf(!requirePart("redis-server"))("the index of records that expire", () => {
	let server: RedisServer;
	let store: Store;
	let redis: Redis;

	beforeEach(async () => {
		server = await startRedis();
		store = await openRedisStore({ url: server.url });
		redis = new Redis(server.url);
	});
	afterEach(async () => {
		redis.disconnect();
		await store.close();
		await server.stop();
	});

	it("loses what expired as others are made, and nothing that is there", async () => {
		const records = store.collection("relay");
		await records.create("kept", {}, { ttlMs: AN_HOUR_MS });
		const [key] = await redis.keys("*#index*");
		const long = Date.now() - AN_HOUR_MS;
		const gone = Array.from({ length: 40 }, (_, n) => `gone-${n}`);
		for (const id of gone) await redis.zadd(key!, long, id);
		await redis.zadd(key!, Date.now(), "being-made");

		for (let n = 0; n < 400; n++) await records.create(`new-${n}`, {}, { ttlMs: AN_HOUR_MS });

		const listed = () => redis.zrange(key!, 0, -1);
		const isGone = (id: string) => id.startsWith("gone-");
		await waitFor(async () => (await listed()).filter(isGone).length < gone.length / 2, {
			what: "most to be cleared away",
		});
		const there = (await listed()).filter((id) => !isGone(id));
		expect(there).toHaveLength(402);
		expect(there).toContain("being-made");
	});

	it("is not there for a collection that is not listed", async () => {
		const records = store.collection("relay", { listed: false });
		for (let n = 0; n < 20; n++) await records.create(`new-${n}`, {}, { ttlMs: AN_HOUR_MS });
		await expect(records.create("new-1", {})).rejects.toMatchObject({ code: "already_exists" });
		await records.delete("new-2");
		expect(await redis.keys("*#index*")).toEqual([]);
	});
});
