import { rm } from "node:fs/promises";
import { requirePart, startRedis, startRedisCluster, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { openRedisStore } from "../../src/redis";
import { pairs } from "../../src/testing/observe";
import { clusterUrl } from "./redis-subject";
import { errorOf, expectWorksAgain, SECRET, useRefusingRedis } from "./use-refusing-redis";

describe.skipIf(!requirePart("redis-server"))("a Redis that refuses", () => {
	const on = useRefusingRedis();
	const { serve, openSessions, connectSessions, closeAfter } = on;

	async function ask<T>(port: number, question: (one: Redis) => Promise<T>): Promise<T> {
		const one = new Redis(port, "127.0.0.1", {
			enableReadyCheck: false,
			retryStrategy: () => null,
		});
		one.on("error", () => {});
		try {
			return await question(one);
		} finally {
			one.disconnect();
		}
	}

	const saysLoading = (port: number) =>
		ask(port, (one) => one.get("any")).then(
			() => false,
			(error: Error) => error.message.startsWith("LOADING"),
		);

	describe("while it runs", () => {
		it("is full (OOM): store_full, nothing written, reading goes on", async () => {
			const sessions = await openSessions();
			await on.raw.config("SET", "maxmemory", "1");
			const swap = { register: "run", from: null, to: "r1" };
			const error = await errorOf(sessions.append("a", "events", ["x"], { swap }));
			expect(error).toMatchObject({ code: "store_full", retryable: true });
			expect(error.message).toContain("raise maxmemory");
			for (const write of [
				() => sessions.increment("a", "n"),
				() => sessions.update("a", () => ({ x: 1 })),
				() => sessions.takeLease("a", { holder: "me", ttlMs: 1_000 }),
				() => sessions.create("b", {}),
			]) {
				expect((await errorOf(write())).code).toBe("store_full");
			}
			expect(pairs(await sessions.read("a", "events"))).toEqual([[1, "before"]]);
			expect((await sessions.state("a", "events")).registers).toEqual({});
			expect((await sessions.get("a"))?.value).toEqual({});
			await on.raw.config("SET", "maxmemory", "0");
			await expectWorksAgain(sessions);
			expect(await sessions.increment("a", "n")).toBe(1);
			expect((await sessions.list()).records.map(({ id }) => id)).toEqual(["a"]);
		});

		it("cannot save (MISCONF): read_only", async () => {
			await serve({ save: "3600 1" });
			const sessions = await openSessions();
			await rm(on.redis.dir, { recursive: true });
			await on.raw.bgsave().catch(() => {});
			await waitFor(async () => (await on.raw.info("persistence")).includes("bgsave_status:err"));
			const error = await errorOf(sessions.append("a", "events", ["x"]));
			expect(error).toMatchObject({ code: "read_only", retryable: true });
			expect(error.message).toContain("cannot save to its disk");
			await on.raw.config("SET", "stop-writes-on-bgsave-error", "no");
			await expectWorksAgain(sessions);
		});

		it("is a replica (READONLY): read_only, and works once it is a master", async () => {
			const master = await startRedis({ extraConfig: { "repl-diskless-sync-delay": "0" } });
			closeAfter(() => master.stop());
			const writer = await openSessions({ url: master.url });
			await on.raw.call("REPLICAOF", "127.0.0.1", master.port);
			await waitFor(async () => (await on.raw.dbsize()) > 0);
			const sessions = await connectSessions();
			const error = await errorOf(sessions.append("a", "events", ["x"]));
			expect(error).toMatchObject({ code: "read_only", retryable: true });
			expect(error.message).toContain("point the address at the master");
			expect(pairs(await writer.read("a", "events"))).toEqual([[1, "before"]]);
			await on.raw.call("REPLICAOF", "NO", "ONE");
			await expectWorksAgain(sessions);
		});

		it("loads its data (LOADING): waits for it, or unavailable when that takes too long", async () => {
			// 400 keys at 5 ms each, and it answers in between.
			const slowly = {
				"key-load-delay": "5000",
				"loading-process-events-interval-bytes": "1024",
			};
			await serve(slowly, true);
			const patient = await openSessions({ timeoutMs: 20_000 });
			const hasty = await connectSessions();
			for (let i = 0; i < 400; i++) await on.raw.set(`filler:${i}`, "x".repeat(100));
			await on.raw.call("BGREWRITEAOF");
			await waitFor(async () => {
				const info = await on.raw.info("persistence");
				return !/aof_rewrite_(in_progress|scheduled):1/.test(info);
			});
			// The client may still be on its way back to the server, or come when all is loaded.
			const seesLoading = async () => {
				while (await saysLoading(on.redis.port)) {
					const said = await hasty.state("a", "events").then(
						() => null,
						(error) => error,
					);
					if (said === null) return false;
					expect(said).toMatchObject({ code: "unavailable", retryable: true });
					if (said.message.includes("loading its data")) return true;
				}
				return false;
			};
			let restarted: Promise<unknown>;
			do {
				await on.redis.kill();
				restarted = on.redis.restart();
				await waitFor(() => saysLoading(on.redis.port));
			} while (!(await seesLoading()));
			expect((await errorOf(openRedisStore({ url: on.redis.url, timeoutMs: 300 }))).code).toBe(
				"unavailable",
			);
			await expectWorksAgain(patient);
			await restarted;
		});

		it("holds something else at a key (WRONGTYPE): corrupt, and nothing half done", async () => {
			const sessions = await openSessions();
			await sessions.create("b", {});
			await on.raw.set("{sessions:b}:log:events", "not a log");
			const swap = { register: "run", from: null, to: "r1" };
			const error = await errorOf(sessions.append("b", "events", ["x"], { swap }));
			expect(error).toMatchObject({ code: "corrupt", retryable: false });
			expect(error.message).toContain("prefix");
			expect((await sessions.state("b", "events")).registers).toEqual({});
			await expectWorksAgain(sessions);
			await on.raw.del("{sessions:b}:log:events");
			expect(await sessions.append("b", "events", ["x"], { swap })).toMatchObject({ last: 1 });
		});

		it("changes its password: unavailable, without the password", async () => {
			const url = `redis://:${SECRET}@127.0.0.1:${on.redis.port}`;
			await on.raw.config("SET", "requirepass", SECRET);
			const sessions = await openSessions({ url });
			await on.raw.config("SET", "requirepass", "another");
			await on.raw.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			const error = await errorOf(sessions.append("a", "events", ["x"]));
			expect(error.code).toBe("unavailable");
			expect(error.message).toContain(`redis://127.0.0.1:${on.redis.port}`);
			expect(error.message).toContain("WRONGPASS");
			await on.raw.config("SET", "requirepass", SECRET);
			await expectWorksAgain(sessions);
		});

		it("hangs: unavailable in time; what was given up is stored once or never", async () => {
			const sessions = await openSessions();
			on.redis.pause();
			const started = performance.now();
			const error = await errorOf(sessions.append("a", "events", ["given up"]));
			expect(error).toMatchObject({ code: "unavailable", retryable: true });
			expect(performance.now() - started).toBeLessThan(5_000);
			const next = () => sessions.append("a", "events", ["next"], { once: { key: "next" } });
			const waiting = next().catch(() => waitFor(next));
			on.redis.resume();
			await waiting;
			const events = (await sessions.read("a", "events")).entries.map(({ event }) => event);
			expect([
				["before", "next"],
				["before", "given up", "next"],
			]).toContainEqual(events);
		});

		it("hangs while the store is closed: pending calls are closed at once", async () => {
			const store = await openRedisStore({ url: on.redis.url });
			const sessions = store.collection("sessions");
			await sessions.create("a", {});
			on.redis.pause();
			const pending = [
				sessions.append("a", "events", [1]),
				sessions.append("a", "events", [2]),
				sessions.get("a"),
				store.check(),
			];
			const codes = Promise.all(pending.map(async (call) => (await errorOf(call)).code));
			await store.close();
			const late = new Promise((resolve) => setTimeout(resolve, 2_000, "late").unref());
			expect(await Promise.race([codes, late])).toEqual(["closed", "closed", "closed", "closed"]);
			on.redis.resume();
		});
	});

	describe("a cluster", () => {
		it("that lost a node (CLUSTERDOWN): unavailable, and works when it is back", async () => {
			const cluster = await startRedisCluster();
			closeAfter(() => cluster.stop());
			const sessions = await openSessions({ url: clusterUrl(cluster.nodes) });
			const nodes = await Promise.all(
				cluster.nodes.map(async (node) => ({
					node,
					holds: (await ask(node.port, (one) => one.keys("sessions:a"))).length > 0,
				})),
			);
			const lost = nodes.find(({ holds }) => !holds)!.node;
			const holder = nodes.find(({ holds }) => holds)!.node;
			await lost.kill();
			await waitFor(async () =>
				String(await ask(holder.port, (one) => one.call("CLUSTER", "INFO"))).includes(
					"cluster_state:fail",
				),
			);
			const once = { key: "after" };
			const error = await errorOf(sessions.append("a", "events", ["after"], { once }));
			expect(error).toMatchObject({ code: "unavailable", retryable: true });
			await lost.restart();
			await expectWorksAgain(sessions);
		});
	});
});
