import { requirePart, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { openRedisStore } from "../../src/redis";
import { collect } from "../collect";
import { useFollowedRedis } from "./use-followed-redis";

describe.skipIf(!requirePart("redis-server"))("followers on Redis", () => {
	const on = useFollowedRedis();
	const { openSessions, openProxy, closeAfter } = on;

	it("see every event once through a restart of the server", async () => {
		const writer = await openSessions();
		const reader = await openSessions();
		await writer.create("a", {});
		const seen = collect(reader, "a");
		for (let i = 1; i <= 50; i++) await writer.append("a", "events", [i]);
		await waitFor(() => seen.events.length === 50);
		await on.redis.restart();
		for (let i = 51; i <= 100; i++) await writer.append("a", "events", [i]);
		await waitFor(() => seen.events.length >= 100, { timeoutMs: 20_000 });
		await seen.stop();
		expect(seen.events).toEqual(Array.from({ length: 100 }, (_, i) => [i + 1, i + 1]));
		expect(seen.resets).toEqual([]);
	});

	it("see every event once through dropped connections", async () => {
		const proxy = await openProxy();
		const writer = await openSessions();
		const reader = await openSessions(`redis://127.0.0.1:${proxy.port}`);
		await writer.create("a", {});
		const seen = collect(reader, "a");
		for (let i = 1; i <= 300; i++) {
			await writer.append("a", "events", [i]);
			if (i % 60 === 0) proxy.dropConnections();
		}
		await waitFor(() => seen.events.length >= 300, { timeoutMs: 20_000 });
		await seen.stop();
		expect(seen.events).toEqual(Array.from({ length: 300 }, (_, i) => [i + 1, i + 1]));
		expect(seen.resets).toEqual([]);
	});

	it("survive a connection that dies while it is being made", async () => {
		const proxy = await openProxy();
		const writer = await openSessions();
		const reader = await openSessions(`redis://127.0.0.1:${proxy.port}`);
		await writer.create("a", {});
		const seen = collect(reader, "a");
		await writer.append("a", "events", [1]);
		await waitFor(() => seen.events.length === 1);
		const raw = new Redis(on.redis.url);
		const clients = async () => new Set(String(await raw.client("LIST")).match(/^id=\d+/gm));
		const before = await clients();
		proxy.holdReplies();
		proxy.dropConnections();
		await waitFor(async () => [...(await clients())].filter((id) => !before.has(id)).length >= 2);
		proxy.dropConnections();
		proxy.releaseReplies();
		await waitFor(async () => String(await raw.client("LIST")).includes(" sub=1 "));
		raw.disconnect();
		await writer.append("a", "events", [2]);
		await waitFor(() => seen.events.length === 2);
		await seen.stop();
		expect(seen.resets).toEqual([]);
	});

	it("keep their place while the server is away for longer than an operation is tried", async () => {
		const store = await openRedisStore({
			url: on.redis.url,
			timeoutMs: 300,
			commandTimeoutMs: 200,
		});
		closeAfter(store);
		const sessions = store.collection("sessions");
		await sessions.create("a", {});
		const seen = collect(sessions, "a");
		await sessions.append("a", "events", [1]);
		await waitFor(() => seen.events.length === 1);
		await on.redis.kill();
		await expect(sessions.append("a", "events", ["lost"])).rejects.toMatchObject({
			code: "unavailable",
			retryable: true,
		});
		await on.redis.restart();
		await waitFor(() =>
			sessions.append("a", "events", [2]).then(
				() => true,
				() => false,
			),
		);
		await waitFor(() => seen.events.length >= 2);
		await seen.stop();
		expect(seen.events).toEqual([
			[1, 1],
			[2, 2],
		]);
	});

	it("find what no wake-up told them of by looking now and then", async () => {
		const store = await openRedisStore({ url: on.redis.url, pollMs: 100 });
		closeAfter(store);
		const sessions = store.collection("sessions");
		await sessions.create("a", {});
		const seen = collect(sessions, "a");
		await sessions.append("a", "events", [1]);
		await waitFor(() => seen.events.length === 1);
		const raw = new Redis(on.redis.url);
		// An append whose announcement was lost.
		await raw.xadd("{sessions:a}:log:events", "2-0", "e", "2");
		await raw.hset("{sessions:a}:state", "s:events", 2);
		raw.disconnect();
		await waitFor(() => seen.events.length === 2);
		await seen.stop();
	});

	it("get batches that are too large for a wake-up, here and in another process", async () => {
		const writer = await openSessions();
		const reader = await openSessions();
		await writer.create("a", {});
		const [here, there] = [collect(writer, "a"), collect(reader, "a")];
		const batches = Array.from({ length: 6 }, (_, n) =>
			Array.from({ length: 200 }, (_, i) => `${n}-${i} ${"x".repeat(n % 2 ? 2 : 500)}`),
		);
		for (const batch of batches) await writer.append("a", "events", batch);
		const all = batches.flat().map((event, i) => [i + 1, event]);
		await waitFor(() => here.events.length >= all.length && there.events.length >= all.length);
		await Promise.all([here.stop(), there.stop()]);
		expect(here.events).toEqual(all);
		expect(there.events).toEqual(all);
	});

	it("start from what was just appended here, and miss nothing of another process", async () => {
		const [one, other] = [await openSessions(), await openSessions()];
		for (let round = 0; round < 20; round++) {
			const id = `a${round}`;
			one.expect(id, "events");
			await one.create(id, {});
			// Now and then before the first one here is answered, so that they meet in every order.
			const first = one.append(id, "events", [1]);
			if (round % 2) await first;
			await other.append(id, "events", [2]);
			const seen = collect(one, id);
			await Promise.all([first, one.append(id, "events", [3])]);
			await other.append(id, "events", [4]);
			await waitFor(() => seen.events.length >= 4);
			await seen.stop();
			expect(seen.events).toEqual(
				(await other.read(id, "events")).entries.map(({ seq, event }) => [seq, event]),
			);
			expect(seen.resets).toEqual([]);
		}
	});

	it("share one subscriber connection, a thousand of them", async () => {
		const sessions = await openSessions();
		const raw = new Redis(on.redis.url);
		const ids = Array.from({ length: 500 }, (_, i) => `s${i}`);
		await Promise.all(ids.map((id) => sessions.create(id, {})));
		const followers = [...ids, ...ids].map((id) => collect(sessions, id));
		const clients = async () =>
			String(await raw.client("LIST"))
				.trim()
				.split("\n");
		await waitFor(async () => (await clients()).some((line) => / sub=500 /.test(line)));
		const lines = await clients();
		expect(lines.filter((line) => !/ sub=0 /.test(line))).toHaveLength(1);
		// One for commands, one for wake-ups, and this test's own.
		expect(lines).toHaveLength(3);
		for (const id of ids) await sessions.append(id, "events", [id]);
		await waitFor(() => followers.every((follower) => follower.events.length === 1));
		for (const follower of followers) await follower.stop();
		await waitFor(async () => (await clients()).every((line) => / sub=0 /.test(line)));
		raw.disconnect();
	});
});
