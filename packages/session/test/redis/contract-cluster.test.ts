import { type RedisCluster, requirePart, startRedisCluster } from "@baton/testkit";
import { afterAll, beforeAll, describe } from "vitest";
import { testStoreContract } from "../../src/testing";
import { clusterUrl, redisSubject } from "./redis-subject";

describe.skipIf(!requirePart("redis-server"))("Redis, a cluster of three masters", () => {
	let cluster: RedisCluster;
	beforeAll(async () => {
		cluster = await startRedisCluster({ masters: 3 });
	});
	afterAll(() => cluster.stop());

	testStoreContract(redisSubject("redis cluster", () => clusterUrl(cluster.nodes)));
});
