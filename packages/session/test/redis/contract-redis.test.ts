import { type RedisServer, requirePart, startRedis } from "@baton/testkit";
import { afterAll, beforeAll, describe } from "vitest";
import { testStoreContract } from "../../src/testing";
import { redisSubject } from "./redis-subject";

describe.skipIf(!requirePart("redis-server"))("Redis, one server", () => {
	let redis: RedisServer;
	beforeAll(async () => {
		redis = await startRedis();
	});
	afterAll(() => redis.stop());

	testStoreContract(redisSubject("redis", () => redis.url));
});
