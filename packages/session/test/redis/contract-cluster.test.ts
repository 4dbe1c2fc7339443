import { type RedisCluster, requirePart, startRedisCluster, waitFor } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRedisStore } from "../../src/redis";
import { testStoreContract } from "../../src/testing";
import { clusterUrl, redisSubject } from "./redis-subject";

describe.skipIf(!requirePart("redis-server"))("Redis, a cluster of three masters", () => {
	let cluster: RedisCluster;
	beforeAll(async () => {
		cluster = await startRedisCluster({ masters: 3 });
	});
	afterAll(() => cluster.stop());

	it("leaves an alarm until it is due, for what it was set for may be on its way", async () => {
		const store = await openRedisStore({ url: clusterUrl(cluster.nodes), prefix: "alarms:" });
		const sessions = store.collection("sessions");
		await sessions.create("a", {});
		// As a sender does, right before it appends; here it stands still in between.
		await sessions.setAlarm("a", 300);
		expect(await sessions.postponeAlarm("a", "events", 0, 600_000)).toBe(true);
		await sessions.append("a", "events", ["input"]);
		await waitFor(async () => (await sessions.dueAlarms(10)).includes("a"));
		expect(await sessions.postponeAlarm("a", "events", 0, 600_000)).toBe(false);
		expect(await sessions.dueAlarms(10)).toEqual(["a"]);
		expect(await sessions.postponeAlarm("a", "events", 1, 600_000)).toBe(true);
		expect(await sessions.dueAlarms(10)).toEqual([]);
		await store.close();
	});

	testStoreContract(redisSubject("redis cluster", () => clusterUrl(cluster.nodes)));
});
