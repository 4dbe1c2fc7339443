import { type RedisServer, requirePart, startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
	closeLiveConnections,
	closeSessions,
	createSession,
	deleteSession,
	getLiveConnection,
	type LiveConnection,
	loadSession,
	removeLiveConnection,
	saveLiveConnection,
	updateSession,
} from "../index";
import { createMemorySessions } from "../memory-sessions";
import { createRedis, createRedisSessions } from "../redis";
import { findRedisUrl } from "../redis-address";
import type { SessionPort } from "../session-port";
import { Sessions } from "../sessions";

const first = { providerSessionId: "p1", createdAt: 1 };
const KEY = "giselle:provider:session:p1";

describe.skipIf(!requirePart("redis-server"))("sessions on Redis", () => {
	let server: RedisServer;
	let redis: Redis;
	beforeAll(async () => {
		server = await startRedis();
		redis = new Redis(server.url);
		vi.stubEnv("KV_URL", server.url);
	});
	beforeEach(() => redis.flushall());
	afterAll(async () => {
		vi.unstubAllEnvs();
		await closeSessions();
		redis.disconnect();
		await server.stop();
	});

	it("are stored as JSON under their key, for 600 seconds, and deleted", async () => {
		await createSession(first);
		expect(JSON.parse((await redis.get(KEY)) ?? "")).toEqual(first);
		expect(await redis.pttl(KEY)).toBeGreaterThan(599_000);
		expect(await redis.pttl(KEY)).toBeLessThanOrEqual(600_000);
		expect(await loadSession("p1")).toEqual(first);
		await deleteSession("p1");
		expect(await loadSession("p1")).toBeNull();
	});

	it("are updated in part, and every write sets their time to live anew", async () => {
		await createSession({ ...first, sandboxId: "s" });
		await redis.pexpire(KEY, 5_000);
		await updateSession("p1", { geminiSessionId: "g" });
		expect(await loadSession("p1")).toEqual({ ...first, sandboxId: "s", geminiSessionId: "g" });
		expect(await redis.pttl(KEY)).toBeGreaterThan(599_000);
	});

	it("stay gone when they are updated after their end", async () => {
		await updateSession("p1", { geminiSessionId: "g" });
		expect(await loadSession("p1")).toBeNull();
	});

	it("lose none of many updates at once", async () => {
		await createSession(first);
		const names = ["sandboxId", "geminiSessionId", "relayUrl", "relayToken", "runId", "chatId"];
		await Promise.all(names.map((name) => updateSession("p1", { [name]: name })));
		expect(await loadSession("p1")).toMatchObject(Object.fromEntries(names.map((n) => [n, n])));
	});

	it("share one client, known to the process", async () => {
		await loadSession("p1");
		const client = globalThis.__giselleProviderRedis;
		expect(client).toBeDefined();
		await loadSession("p1");
		expect(globalThis.__giselleProviderRedis).toBe(client);
	});

	it("say that the store failed, and not where it is", async () => {
		const client = createRedis("redis://:my-password@127.0.0.1:1");
		const error = await createRedisSessions(client)
			.get("x")
			.catch((cause: unknown) => cause);
		client.disconnect();
		expect(error).toMatchObject({ code: "store_failed", retryable: true });
		expect(`${error}${JSON.stringify(error)}`).not.toContain("my-password");
	});

	describe.each<[string, () => SessionPort]>([
		["Redis", () => createRedisSessions(redis)],
		["this process", () => createMemorySessions()],
	])("claims on %s", (_title, port) => {
		it("are won by one of many", async () => {
			const sessions = new Sessions(async () => port());
			const shared = port();
			const same = new Sessions(async () => shared);
			await same.create({ ...first, pendingRequestId: "r1" });
			const all = await Promise.all(Array.from({ length: 10 }, () => same.claim("p1")));
			expect(all.filter((claim) => claim?.won)).toHaveLength(1);
			expect(await sessions.claim("none")).toBeNull();
		});

		it("do not need what they expected to be right", async () => {
			const shared = port();
			const sessions = new Sessions(async () => shared);
			await sessions.create({ ...first, pendingRequestId: "r1" });
			const wrong = { ...first, pendingRequestId: "r0" };
			const claim = await sessions.claim("p1", { expected: wrong });
			expect(claim).toMatchObject({ won: true, metadata: { pendingRequestId: "r1" } });
			expect((await sessions.claim("p1", { expected: wrong }))?.won).toBe(false);
		});

		it("are free again when they came to nothing", async () => {
			const shared = port();
			const sessions = new Sessions(async () => shared);
			await sessions.create({ ...first, pendingRequestIds: ["r1"] });
			expect((await sessions.claim("p1", { now: 1_000 }))?.won).toBe(true);
			expect((await sessions.claim("p1", { now: 2_000 }))?.won).toBe(false);
			expect((await sessions.claim("p1", { now: 60_000 }))?.won).toBe(true);
		});
	});
});

describe("where sessions are kept", () => {
	it.each([
		[{ REDIS_TLS_URL: "a", REDIS_URL: "b", KV_URL: "c" }, "a"],
		[{ REDIS_URL: "b", KV_URL: "c" }, "b"],
		[{ KV_URL: "c", UPSTASH_REDIS_TLS_URL: "d" }, "c"],
		[{ UPSTASH_REDIS_TLS_URL: "d", UPSTASH_REDIS_URL: "e" }, "d"],
		[{ UPSTASH_REDIS_URL: "e", REDIS_URL: " " }, "e"],
		[{}, null],
	])("%o: %s", (env, url) => {
		expect(findRedisUrl(env)).toBe(url);
	});

	it("is this process without Redis, which is said once", async () => {
		for (const name of ["REDIS_TLS_URL", "REDIS_URL", "KV_URL"]) vi.stubEnv(name, "");
		const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
		await createSession(first);
		expect(await loadSession("p1")).toEqual(first);
		await deleteSession("p1");
		expect(warn).toHaveBeenCalledTimes(1);
		expect(warn.mock.calls[0]?.[0]).toContain("REDIS_URL");
		vi.unstubAllEnvs();
		warn.mockRestore();
	});
});

describe("live connections", () => {
	const connection = (more: Partial<LiveConnection> = {}) => {
		const closed: string[] = [];
		const stream = new ReadableStream<Uint8Array>({ cancel: () => void closed.push("reader") });
		const live: LiveConnection = {
			reader: stream.getReader(),
			buffer: "",
			relaySubscription: {
				nextRequest: () => new Promise(() => {}),
				close: () => void closed.push("subscription"),
			},
			textBlockOpen: false,
			...more,
		};
		return { live, closed };
	};
	afterEach(() => closeLiveConnections());

	it("are in one map of the process, and closed when they are removed", async () => {
		const { live, closed } = connection();
		saveLiveConnection("l1", live);
		expect(globalThis.__giselleProviderSessions?.get("l1")).toBe(live);
		expect(getLiveConnection("l1")).toBe(live);
		await removeLiveConnection("l1");
		expect(getLiveConnection("l1")).toBeUndefined();
		expect(closed).toEqual(["reader", "subscription"]);
		await removeLiveConnection("l1");
	});

	it("are removed with their session", async () => {
		const sessions = new Sessions(async () => createMemorySessions());
		const { live, closed } = connection();
		saveLiveConnection("l1", live);
		await sessions.delete("l1");
		expect(getLiveConnection("l1")).toBeUndefined();
		expect(closed).toContain("reader");
	});

	it("are closed when they were idle for too long", async () => {
		vi.useFakeTimers();
		const { live, closed } = connection({ idleMs: 1_000 });
		saveLiveConnection("l1", live);
		await vi.advanceTimersByTimeAsync(999);
		expect(getLiveConnection("l1")).toBe(live);
		await vi.advanceTimersByTimeAsync(1);
		expect(getLiveConnection("l1")).toBeUndefined();
		expect(closed).toContain("reader");
		vi.useRealTimers();
	});

	it("are no more than a thousand: the oldest is closed", async () => {
		const oldest = connection();
		saveLiveConnection("oldest", oldest.live);
		for (let n = 0; n < 1_000; n++) saveLiveConnection(`l${n}`, connection().live);
		expect(globalThis.__giselleProviderSessions?.size).toBe(1_000);
		expect(getLiveConnection("oldest")).toBeUndefined();
		expect(oldest.closed).toContain("reader");
	});

	it("are closed when another one takes their place", () => {
		const [one, two] = [connection(), connection()];
		saveLiveConnection("l1", one.live);
		saveLiveConnection("l1", two.live);
		expect(getLiveConnection("l1")).toBe(two.live);
		expect(one.closed).toContain("reader");
	});
});
