import { requirePart, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { collect } from "../collect";
import { useFollowedRedis } from "./use-followed-redis";

describe.skipIf(!requirePart("redis-server"))("followers on Redis", () => {
	const on = useFollowedRedis();
	const { openSessions, openProxy } = on;

	it("get a reset when an append is sent again to a server that lost events", async () => {
		const proxy = await openProxy();
		const writer = await openSessions(`redis://127.0.0.1:${proxy.port}`);
		const reader = await openSessions();
		await writer.create("a", {});
		const seen = collect(reader, "a");
		for (let i = 1; i <= 10; i++) await writer.append("a", "events", [i]);
		await waitFor(() => seen.events.length === 10);
		// The follower keeps its connection, as it does when a cluster changes another node.
		proxy.pauseUpstream();
		const later = ["f", "g", "h", "i", "j", "k"];
		const appending = writer.append("a", "events", later);
		const raw = new Redis(on.redis.url);
		await raw.del("{sessions:a}:log:events");
		for (let i = 1; i <= 5; i++) await raw.xadd("{sessions:a}:log:events", `${i}-0`, "e", `${i}`);
		await raw.hset("{sessions:a}:state", "s:events", 5);
		raw.disconnect();
		proxy.dropConnections();
		proxy.resumeUpstream();
		expect(await appending).toMatchObject({ first: 6, last: 11 });
		await waitFor(() => seen.events.at(-1)?.[0] === 11);
		await seen.stop();
		expect(seen.resets).toEqual([{ reason: "diverged", first: 1 }]);
		expect(seen.sinceReset).toEqual([1, 2, 3, 4, 5, ...later].map((event, i) => [i + 1, event]));
	});

	it("get a reset where the server evicted events, and never other numbers", async () => {
		const sessions = await openSessions();
		await sessions.create("a", {});
		await sessions.append("a", "events", ["one", "two", "three"]);
		const early = collect(sessions, "a");
		await waitFor(() => early.events.length === 3);
		const raw = new Redis(on.redis.url);
		await raw.del("{sessions:a}:log:events");
		raw.disconnect();
		expect(await sessions.read("a", "events")).toEqual({
			entries: [],
			first: 4,
			last: 3,
			reset: { reason: "trimmed", first: 4 },
		});
		const late = collect(sessions, "a");
		await waitFor(() => late.resets.length === 1);
		await sessions.append("a", "events", ["four"]);
		await waitFor(() => early.events.length === 4 && late.events.length === 1);
		await early.stop();
		await late.stop();
		expect(early.resets).toEqual([]);
		expect(late.resets).toEqual([{ reason: "trimmed", first: 4 }]);
		expect(late.events).toEqual([[4, "four"]]);
		expect(await sessions.tail("a", "events", 10)).toMatchObject({ first: 4, last: 4 });
	});

	it("get a reset when the server came back with other events", async () => {
		const sessions = await openSessions();
		await sessions.create("a", {});
		const seen = collect(sessions, "a");
		await sessions.append("a", "events", ["one", "two"]);
		await waitFor(() => seen.events.length === 2);
		// What a failover to a replica that lagged leaves behind: fewer events, then other ones.
		const raw = new Redis(on.redis.url);
		await raw.del("{sessions:a}:log:events");
		await raw.xadd("{sessions:a}:log:events", "1-0", "e", '"one"');
		await raw.hset("{sessions:a}:state", "s:events", 1);
		raw.disconnect();
		await on.redis.restart();
		const after = await openSessions();
		await after.append("a", "events", ["other"]);
		await waitFor(() => seen.resets.length === 1);
		await waitFor(() => seen.events.length === 4);
		await seen.stop();
		expect(seen.resets).toEqual([{ reason: "diverged", first: 1 }]);
		expect(seen.events.slice(2)).toEqual([
			[1, "one"],
			[2, "other"],
		]);
	});

	it("get a reset when the event at their cursor was said again in another history", async () => {
		const sessions = await openSessions();
		await sessions.create("a", {});
		const seen = collect(sessions, "a");
		for (const text of ["one", "lost", "same"]) await sessions.append("a", "events", [text]);
		await waitFor(() => seen.events.length === 3);
		const raw = new Redis(on.redis.url);
		const [first] = await raw.xrange("{sessions:a}:log:events", "-", "+", "COUNT", 1);
		await raw.del("{sessions:a}:log:events");
		await raw.xadd("{sessions:a}:log:events", first![0], ...first![1]);
		await raw.hset("{sessions:a}:state", "s:events", 1);
		raw.disconnect();
		const after = await openSessions();
		for (const text of ["other", "same", "more"]) await after.append("a", "events", [text]);
		await waitFor(() => seen.events.length === 7);
		await seen.stop();
		expect(seen.resets).toEqual([{ reason: "diverged", first: 1 }]);
		expect(seen.events.slice(3).map(([, event]) => event)).toEqual([
			"one",
			"other",
			"same",
			"more",
		]);
	});
});
