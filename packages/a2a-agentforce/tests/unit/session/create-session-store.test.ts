import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSessionStore, MemoryStore, RedisStore } from "../../../src/session";
import { redisEnvironment, sessionTtlSeconds } from "../../../src/session/environment";

beforeEach(() => {
	for (const name of ["REDIS_URL", "REDIS_TLS_URL", "SESSION_TTL_SECONDS"]) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

describe("createSessionStore", () => {
	it("is memory without an address of Redis", () => {
		expect(createSessionStore()).toBeInstanceOf(MemoryStore);
	});

	it.each(["REDIS_URL", "REDIS_TLS_URL"])("is Redis when %s is set", (variable) => {
		vi.stubEnv(variable, "redis://127.0.0.1:1");
		expect(createSessionStore()).toBeInstanceOf(RedisStore);
	});
});

describe("the environment", () => {
	it("has REDIS_TLS_URL before REDIS_URL, and TLS with it", () => {
		const env = { REDIS_URL: "redis://plain:1", REDIS_TLS_URL: "redis://safe:2" };
		expect(redisEnvironment(env)?.url).toBe("rediss://safe:2");
		expect(redisEnvironment({ REDIS_URL: "redis://plain:1" })?.url).toBe("redis://plain:1");
		expect(redisEnvironment({})).toBeNull();
	});

	it("turns certificate checks off only when it says so", () => {
		const env = { REDIS_TLS_URL: "rediss://safe:2" };
		expect(redisEnvironment(env)?.rejectUnauthorized).toBe(true);
		const off = { ...env, REDIS_TLS_REJECT_UNAUTHORIZED: "false" };
		expect(redisEnvironment(off)?.rejectUnauthorized).toBe(false);
		const typo = { ...env, REDIS_TLS_REJECT_UNAUTHORIZED: "flase" };
		expect(redisEnvironment(typo)?.rejectUnauthorized).toBe(true);
	});

	it("has a time to live of 1,800 s unless it says another", () => {
		expect(sessionTtlSeconds({})).toBe(1_800);
		expect(sessionTtlSeconds({ SESSION_TTL_SECONDS: "60" })).toBe(60);
		expect(() => sessionTtlSeconds({ SESSION_TTL_SECONDS: "soon" })).toThrow(
			"SESSION_TTL_SECONDS must be a whole number",
		);
	});
});
