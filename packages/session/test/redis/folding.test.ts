import { type RedisServer, requirePart, startRedis, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../src/json";
import type { Collection, Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";
import { collect } from "../collect";

describe.skipIf(!requirePart("redis-server"))("small entries that are folded into one", () => {
	let redis: RedisServer;
	let admin: Redis;
	let store: Store;
	let sessions: Collection;
	beforeAll(async () => {
		redis = await startRedis();
		admin = new Redis(redis.url);
	});
	afterAll(async () => {
		admin.disconnect();
		await redis.stop();
	});
	beforeEach(async () => {
		await admin.flushall();
		store = await openRedisStore({ url: redis.url });
		sessions = store.collection("sessions");
		await sessions.create("a", {});
	});
	afterEach(() => store.close());

	/** Appends batches of 1, 2, 3, 1, 2, 3 … events: the seqs as values. */
	async function appendBatches(batches: number): Promise<number[]> {
		let last = 0;
		for (let i = 0; i < batches; i++) {
			const events = Array.from({ length: (i % 3) + 1 }, (_, n) => last + n + 1);
			last = (await sessions.append("a", "events", events)).last;
		}
		return Array.from({ length: last }, (_, i) => i + 1);
	}

	const streamKey = async () => {
		const keys = await admin.keys("*");
		const key = keys.find((name) => name.endsWith(":log:events"));
		if (!key) throw new Error(`There is no log among ${keys.join(", ")}.`);
		return key;
	};

	it("leave few entries, and every event under its number", async () => {
		const events = await appendBatches(100);
		expect(await admin.xlen(await streamKey())).toBeLessThan(100 / 16 + 32);
		const { entries, last } = await sessions.read("a", "events", { limit: 10_000 });
		expect(entries.map(({ seq, event }) => [seq, event])).toEqual(events.map((n) => [n, n]));
		expect(last).toBe(events.length);
	});

	it("are read from every cursor, up to any limit", async () => {
		const events = await appendBatches(45);
		for (let after = 0; after <= events.length; after++) {
			for (const limit of [1, 2, 7, 64, 500]) {
				const { entries, reset } = await sessions.read("a", "events", { after, limit });
				expect(reset).toBeNull();
				expect(entries.map(({ event }) => event)).toEqual(events.slice(after, after + limit));
			}
		}
	});

	it("have a tail of any length", async () => {
		const events = await appendBatches(45);
		for (let count = 1; count <= events.length + 3; count++) {
			const { entries } = await sessions.tail("a", "events", count);
			expect(entries.map(({ seq }) => seq)).toEqual(events.slice(-count));
		}
	});

	it("can be trimmed anywhere, and go on after it", async () => {
		const events = await appendBatches(70);
		for (let first = 1; first <= events.length + 1; first += 5) {
			await sessions.trim("a", "events", first);
			const { entries, reset } = await sessions.read("a", "events", {
				after: first - 1,
				limit: 10_000,
			});
			expect(reset).toBeNull();
			expect(entries.map(({ event }) => event)).toEqual(events.slice(first - 1));
		}
		for (let n = events.length + 1; n <= events.length + 80; n++) {
			expect((await sessions.append("a", "events", [n])).first).toBe(n);
		}
		const { entries } = await sessions.tail("a", "events", 80);
		expect(entries.map(({ seq, event }) => seq === event)).not.toContain(false);
	});

	it("stay apart when they are large", async () => {
		const large = "x".repeat(40_000);
		for (let i = 0; i < 80; i++) await sessions.append("a", "events", [large]);
		expect(await admin.xlen(await streamKey())).toBe(80);
		const { entries } = await sessions.read("a", "events", { limit: 1_000 });
		expect(entries.map(({ event }) => event)).toEqual(Array(80).fill(large));
	});

	const say = async (to: Collection, count: number) => {
		for (let i = 0; i < count; i++) await to.append("a", "events", ["same"]);
	};

	it("let a follower find its place in the middle of them", async () => {
		await say(sessions, 70);
		const following = sessions.follow("a", "events")[Symbol.asyncIterator]();
		for (let seen = 0; seen < 70; ) seen += (await following.next()).value.entries.length;
		await say(sessions, 30);
		// It was away, so it verifies the event at its cursor, which is inside of a folded entry now.
		const subscribers = async () => String(await admin.client("LIST", "TYPE", "PUBSUB"));
		const gone = await subscribers();
		await admin.call("CLIENT", "KILL", "TYPE", "pubsub");
		await waitFor(async () => {
			const now = await subscribers();
			return now !== "" && now !== gone && now.includes("sub=1");
		});
		const { value: after } = await following.next();
		expect(after.reset).toBeNull();
		expect(after.entries.map(({ seq }: { seq: number }) => seq)).toEqual(
			Array.from({ length: 30 }, (_, i) => 71 + i),
		);
		await following.return?.();
	});

	it.each([
		["was told them", 0],
		["has read them", 75],
	])("are told apart from others of the same numbers and words by one who %s", async (_, after) => {
		let seen = after === 0 ? collect(sessions, "a") : null;
		await say(sessions, 70);
		const key = await streamKey();
		const stateKey = key.replace(":log:events", ":state");
		const [entries, state] = await Promise.all([admin.dumpBuffer(key), admin.dumpBuffer(stateKey)]);
		await say(sessions, 5);
		seen ??= collect(sessions, "a");
		await waitFor(() => seen.events.length === 75);

		// A server without the last five, which then hears others: as after a failover.
		await admin.restore(key, 0, entries as Buffer, "REPLACE");
		await admin.restore(stateKey, 0, state as Buffer, "REPLACE");
		const other = await openRedisStore({ url: redis.url });
		// At once: the follower's place is not beyond the end for a moment.
		await other.collection("sessions").append("a", "events", Array(40).fill("same"));
		await other.close();
		await waitFor(() => seen.sinceReset.length === 110 && seen.resets.length > 0);
		await seen.stop();
		expect(seen.resets.every(({ reason }) => reason === "diverged")).toBe(true);
		const expected: [number, Json][] = Array.from({ length: 110 }, (_, i) => [i + 1, "same"]);
		expect(seen.sinceReset).toEqual(expected);
	});
});
