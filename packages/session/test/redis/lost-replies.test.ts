import {
	type RedisServer,
	requirePart,
	startRedis,
	startTcpProxy,
	type TcpProxy,
} from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Collection, Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";
import { SCRIPTS } from "../../src/redis/scripts";
import { pairs } from "../../src/testing/observe";

describe.skipIf(!requirePart("redis-server"))("a reply that is lost", () => {
	let redis: RedisServer;
	let proxy: TcpProxy;
	let store: Store;
	let sessions: Collection;

	beforeEach(async () => {
		redis = await startRedis();
		proxy = await startTcpProxy({ targetPort: redis.port });
		store = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}` });
		sessions = store.collection("sessions");
		await sessions.create("a", {});
		// The scripts are known to the server now, so a lost reply is the reply of a script that ran.
		await sessions.append("a", "events", ["before"]);
		await sessions.increment("a", "n");
		await sessions.update("a", (value) => value);
		await sessions.create("warm", {});
		await sessions.takeLease("warm", { holder: "me", ttlMs: 60_000 });
	});
	afterEach(async () => {
		await store.close();
		await proxy.stop();
		await redis.stop();
	});

	/** Loses the reply to the next script call, and only that one. */
	const loseReply = () => proxy.dropNextReply((request) => request.includes("evalsha"));

	it("does not store an append twice", async () => {
		const lost = loseReply();
		const appended = await sessions.append("a", "events", ["x", "y"]);
		await lost;
		expect(appended).toEqual({ first: 2, last: 3, repeated: false });
		expect(pairs(await sessions.read("a", "events"))).toEqual([
			[1, "before"],
			[2, "x"],
			[3, "y"],
		]);
	});

	it("does not store an append that arrives after a newer one", async () => {
		const raw = new Redis(redis.url);
		const state = "{sessions:a}:state";
		await sessions.append("a", "events", ["late"]);
		const remembered = Object.entries(await raw.hgetall(state)).find(([name]) => /^w:/.test(name));
		const [writer, operation] = [remembered![0].slice(2), remembered![1].split(" ")[0]!];
		await sessions.append("a", "events", ["newer"]);
		// What is left of a connection that was given up, and of an operation that its caller gave up.
		const { lua, keys } = SCRIPTS.append;
		const names = ["sessions:a", state, "{sessions:a}:once", "{sessions:a}:log:events"];
		const conditions = ["events", "epoch", "", "", "", "", "", "", 65_536];
		const args = [...names, writer, operation, ...conditions, 1, '"late"'];
		expect(await raw.eval(lua, keys, ...args)).toEqual(["stale"]);
		raw.disconnect();
		expect(pairs(await sessions.read("a", "events"))).toEqual([
			[1, "before"],
			[2, "late"],
			[3, "newer"],
		]);
	});

	it("does not count twice", async () => {
		const lost = loseReply();
		expect(await sessions.increment("a", "n")).toBe(2);
		await lost;
		expect(await sessions.increment("a", "n")).toBe(3);
	});

	it("does not apply an update twice", async () => {
		await sessions.update("a", () => ({ n: 0 }));
		// An update reads first, so the reply to lose is the second one.
		const lost = proxy.dropNextReply((request) => request.includes('{"n":1}'));
		await sessions.update("a", (value) => ({ n: Number(value.n) + 1 }));
		await lost;
		expect((await sessions.get("a"))?.value).toEqual({ n: 1 });
	});

	it("does not make a new record look taken", async () => {
		const lost = proxy.dropNextReply((request) => request.includes('{"mine":true}'));
		const created = await sessions.create("b", { mine: true });
		await lost;
		expect(created.value).toEqual({ mine: true });
	});

	it("does not make a lease look held by another", async () => {
		const lost = loseReply();
		const lease = await sessions.takeLease("a", { holder: "me", ttlMs: 60_000 });
		await lost;
		if (!lease) throw new Error("The lease was free, and was refused.");
		expect((await sessions.state("a", "events")).lease?.token).toBe(lease.token);
		await sessions.releaseLease(lease);
		const next = await sessions.takeLease("a", { holder: "me", ttlMs: 60_000 });
		expect(next?.token).toBe(lease.token + 1);
	});

	it("does not end a terminal event's swap in a conflict with itself", async () => {
		const swap = { register: "run", from: null, to: "r1" };
		const lost = loseReply();
		expect(await sessions.append("a", "events", ["start"], { swap })).toMatchObject({ first: 2 });
		await lost;
		expect((await sessions.state("a", "events")).registers).toEqual({ run: "r1" });
	});
});
