import { REDIS_VARIABLES } from "@baton/session";
import { freePort, requirePart, startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getDefaultRelayStore } from "../src/relay";

beforeEach(() => {
	for (const name of REDIS_VARIABLES) vi.stubEnv(name, undefined);
	globalThis.__browserToolRelayRedis = undefined;
});
afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
});

it("without Redis it is in memory, made once, and says so once", async () => {
	const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
	const [one, two] = await Promise.all([getDefaultRelayStore(), getDefaultRelayStore()]);
	expect(one).toBe(two);
	expect(await globalThis.__browserToolRelayRedis).toBe(one);
	const { sessionId, token } = await one.createRelaySession({ agentSessionId: "s1" });
	expect(await two.authenticate(sessionId, token, "page")).toMatchObject({ agentSessionId: "s1" });
	expect(warn).toHaveBeenCalledTimes(1);
});

it.skipIf(!requirePart("redis-server"))(
	"with an address in the environment it is on that Redis, under relay:session for 600 s",
	async () => {
		const server = await startRedis();
		vi.stubEnv("KV_URL", server.url);
		const relay = await getDefaultRelayStore();
		const { sessionId, token } = await relay.createRelaySession({ agentSessionId: "s1" });
		const redis = new Redis(server.url);
		const stored = await redis.get(`relay:session:${sessionId}`);
		expect(JSON.parse(stored!)).toMatchObject({ agentSessionId: "s1", role: "page" });
		const ttl = await redis.pttl(`relay:session:${sessionId}`);
		expect(ttl).toBeGreaterThan(590_000);
		expect(ttl).toBeLessThanOrEqual(600_000);
		const everything = await Promise.all((await redis.keys("*")).map((key) => redis.dump(key)));
		expect(everything.join()).not.toContain(token);
		redis.disconnect();
		await server.stop();
	},
);

it("a Redis that is not there is an error, and is tried again at the next call", async () => {
	vi.stubEnv("REDIS_URL", `redis://127.0.0.1:${await freePort()}`);
	await expect(getDefaultRelayStore()).rejects.toMatchObject({ code: "unavailable" });
	expect(globalThis.__browserToolRelayRedis).toBeUndefined();
});
