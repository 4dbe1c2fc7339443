import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisCluster, requirePart, startRedisCluster } from "../src";
import { isAlive } from "./is-alive";

describe.skipIf(!requirePart("redis-server"))("startRedisCluster", () => {
	let cluster: RedisCluster;
	beforeAll(async () => {
		cluster = await startRedisCluster({ masters: 3 });
	});
	afterAll(() => cluster.stop());

	it("serves every slot from the first command on", async () => {
		const client = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })));
		const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`);

		await Promise.all(keys.map((key) => client.set(key, key)));

		expect(await Promise.all(keys.map((key) => client.get(key)))).toEqual(keys);
		const sizes = await Promise.all(client.nodes("master").map((node) => node.dbsize()));
		client.disconnect();
		expect(sizes).toHaveLength(3);
		expect(Math.min(...sizes)).toBeGreaterThan(0);
	});

	it("leaves no process after stop", async () => {
		const pids = cluster.nodes.map((node) => node.pid);

		await cluster.stop();

		expect(pids.map(isAlive)).toEqual([false, false, false]);
	});
});
