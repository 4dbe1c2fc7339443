import { fileURLToPath } from "node:url";
import {
	freePort,
	type RedisServer,
	requirePart,
	spawnNode,
	startRedis,
	startTlsRedis,
	type TlsRedis,
} from "@baton/testkit";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createSessionStore, RedisStore, SessionManager } from "../../src/session";
import { mapping } from "./mapping";

const hasRedis = requirePart("redis-server");
const session = {
	contextId: "c1",
	taskId: "t1",
	afSessionId: "af1",
	afAgentId: "agent",
	tenantId: "default",
};

describe.skipIf(!hasRedis)("RedisStore", () => {
	let redis: RedisServer;
	let raw: Redis;
	const stores: RedisStore[] = [];
	beforeAll(async () => {
		redis = await startRedis();
		raw = new Redis(redis.url);
	});
	afterEach(async () => {
		vi.unstubAllEnvs();
		for (const store of stores.splice(0)) await store.close();
		await raw.flushall();
	});
	afterAll(async () => {
		raw.disconnect();
		await redis.stop();
	});

	function open(options: ConstructorParameters<typeof RedisStore>[0] = {}) {
		const store = new RedisStore({ url: redis.url, ...options });
		stores.push(store);
		return store;
	}

	it("works when REDIS_URL is set, with the keys and the time to live of the seed", async () => {
		vi.stubEnv("REDIS_URL", redis.url);
		vi.stubEnv("REDIS_TLS_URL", "");
		vi.stubEnv("SESSION_TTL_SECONDS", "600");
		const store = createSessionStore() as RedisStore;
		stores.push(store);
		const manager = new SessionManager(store, { cleanup: false });
		const created = await manager.createSession(session);

		expect(JSON.parse((await raw.get("session:c1")) ?? "")).toEqual(created);
		expect(await raw.get("task:t1")).toBe("c1");
		for (const key of ["session:c1", "task:t1"]) {
			expect(await raw.ttl(key)).toBeGreaterThan(590);
			expect(await raw.ttl(key)).toBeLessThanOrEqual(900);
		}
		await raw.pexpire("session:c1", 100_000);
		await raw.pexpire("task:t1", 100_000);
		await manager.nextSequenceId("c1");
		for (const key of ["session:c1", "task:t1"]) {
			expect(await raw.ttl(key)).toBeGreaterThan(590);
		}
		expect(JSON.parse((await raw.get("session:c1")) ?? "").afSequenceId).toBe(1);
	});

	it("puts a prefix before other tenants' keys", async () => {
		const acme = open().forTenant("acme");
		await acme.set("c1", mapping("c1", { a2aTaskIds: ["t1"], tenantId: "acme" }));
		expect(await raw.get("tenant:acme:task:t1")).toBe("c1");
		expect(await raw.exists("tenant:acme:session:c1")).toBe(1);
		expect(await raw.exists("session:c1", "task:t1")).toBe(0);
	});

	it("gives 50 numbers to 5 processes at once, none twice and none skipped", async () => {
		const manager = new SessionManager(open(), { cleanup: false });
		await manager.createSession(session);
		const path = fileURLToPath(new URL("../fixtures/sequence-taker.mjs", import.meta.url));
		const rounds = process.env.BATON_FULL ? 20 : 1;
		const children = Array.from({ length: 5 }, () =>
			spawnNode(path, { args: [redis.url, "c1", String(10 * rounds)] }),
		);
		const numbers = await Promise.all(
			children.map(async (child) => {
				const line = await child.waitForLine("[", 60_000);
				expect(await child.exited).toEqual({ code: 0, signal: null });
				return JSON.parse(line) as number[];
			}),
		);
		expect(numbers.flat().sort((a, b) => a - b)).toEqual(
			Array.from({ length: 50 * rounds }, (_, i) => i + 1),
		);
	}, 90_000);

	it("says that Redis is away, by an error that is retryable, and logs it", async () => {
		const warn = vi.fn();
		const nowhere = `redis://127.0.0.1:${await freePort()}`;
		const store = open({ url: nowhere, timeoutMs: 300, log: { info: vi.fn(), warn } });
		await expect(store.get("c1")).rejects.toMatchObject({
			name: "BatonError",
			code: "unavailable",
			retryable: true,
		});
		expect(warn).toHaveBeenCalledOnce();
	});
});

describe.skipIf(!hasRedis)("RedisStore, when Redis goes away and comes back", () => {
	it("fails with a retryable error meanwhile, and goes on where it was", async () => {
		const redis = await startRedis({ appendOnly: true });
		const store = new RedisStore({ url: redis.url, timeoutMs: 2_000 });
		try {
			const manager = new SessionManager(store, { cleanup: false });
			await manager.createSession(session);
			expect(await manager.nextSequenceId("c1")).toBe(1);
			await redis.kill();
			await expect(manager.nextSequenceId("c1")).rejects.toMatchObject({
				code: "unavailable",
				retryable: true,
			});
			await expect(store.getByTaskId("t1")).rejects.toMatchObject({ retryable: true });
			await redis.restart();
			await vi.waitFor(async () => expect(await manager.getByTaskId("t1")).not.toBeNull(), 10_000);
			expect(await manager.nextSequenceId("c1")).toBe(2);
		} finally {
			await store.close();
			await redis.stop();
		}
	});

	it("connects by itself once Redis is there, when it was not at the first call", async () => {
		const redis = await startRedis();
		await redis.kill();
		const store = new RedisStore({
			url: redis.url,
			timeoutMs: 1_000,
			log: { info: () => {}, warn: () => {} },
		});
		try {
			await expect(store.get("c1")).rejects.toMatchObject({ retryable: true });
			await redis.restart();
			await vi.waitFor(async () => expect(await store.get("c1")).toBeNull(), 10_000);
			await store.set("c1", mapping("c1"));
			expect(await store.get("c1")).not.toBeNull();
		} finally {
			await store.close();
			await redis.stop();
		}
	});
});

describe.skipIf(!hasRedis || !requirePart("openssl"))("RedisStore over TLS", () => {
	let redis: TlsRedis;
	const stores: RedisStore[] = [];
	beforeAll(async () => {
		redis = await startTlsRedis();
		vi.stubEnv("REDIS_URL", "");
		// Without the second s: the name of the variable says that it is TLS.
		vi.stubEnv("REDIS_TLS_URL", redis.url.replace("rediss:", "redis:"));
	});
	afterAll(async () => {
		vi.unstubAllEnvs();
		for (const store of stores) await store.close();
		await redis.stop();
	});

	function open() {
		const store = new RedisStore({
			timeoutMs: 5_000,
			log: { info: () => {}, warn: () => {} },
		});
		stores.push(store);
		return store;
	}

	it("checks the certificate", async () => {
		vi.stubEnv("REDIS_TLS_REJECT_UNAUTHORIZED", "");
		await expect(open().get("c1")).rejects.toThrow(/self-signed certificate/);
	});

	it("takes any certificate when REDIS_TLS_REJECT_UNAUTHORIZED is false", async () => {
		vi.stubEnv("REDIS_TLS_REJECT_UNAUTHORIZED", "false");
		const store = open();
		await store.set("c1", mapping("c1"));
		expect((await store.get("c1"))?.afSessionId).toBe("af-c1");
	});
});
