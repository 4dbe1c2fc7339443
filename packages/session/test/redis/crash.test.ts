import { setTimeout as sleep } from "node:timers/promises";
import { type RedisServer, requirePart, startRedis, waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Collection, Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";
import { collect } from "../collect";
import { shortOrFull, startFixture } from "../fixture";

const KILLS = shortOrFull(20, 200);

describe.skipIf(!requirePart("redis-server"))("a writer that is killed", () => {
	let redis: RedisServer;
	let store: Store;
	let sessions: Collection;
	beforeEach(async () => {
		redis = await startRedis();
		store = await openRedisStore({ url: redis.url });
		sessions = store.collection("sessions");
		await sessions.create("a", {});
	});
	afterEach(async () => {
		await store.close();
		await redis.stop();
	});

	/** Runs a writer, kills it at a moment of chance, and returns what it said was acknowledged. */
	async function writeUntilKilled(name: string, index: number): Promise<[number, number][]> {
		const child = startFixture("redis-appender", redis.url, name);
		// Every fifth dies anywhere in its start, the others after some batches.
		if (index % 5 === 0) {
			await sleep(Math.random() * 400);
		} else {
			const batches = 1 + Math.floor(Math.random() * 40);
			for (let i = 0; i < batches; i++) await child.waitForLine(() => true, 20_000);
		}
		await child.stop();
		const acknowledged: [number, number][] = [];
		for await (const line of child.lines) {
			acknowledged.push(line.split(" ").map(Number) as [number, number]);
		}
		expect(child.stderr).toBe("");
		return acknowledged;
	}

	it(`loses nothing that was acknowledged, ${KILLS} times`, { timeout: 300_000 }, async () => {
		const seen = collect(sessions, "a");
		const acknowledged: [string, number, number][] = [];
		for (let i = 0; i < KILLS; i++) {
			for (const [seq, n] of await writeUntilKilled(`w${i}`, i))
				acknowledged.push([`w${i}`, seq, n]);
		}

		const { last } = await sessions.state("a", "events");
		const stored: unknown[] = [];
		for (let after = 0; after < last; after = stored.length) {
			for (const entry of (await sessions.read("a", "events", { after })).entries) {
				expect(entry.seq).toBe(stored.length + 1);
				stored.push(entry.event);
			}
		}
		expect(stored).toHaveLength(last);

		// Each writer's events are there from its first on, once, in order.
		const counts = new Map<string, number>();
		for (const [name, n] of stored as [string, number][]) {
			expect(n).toBe((counts.get(name) ?? 0) + 1);
			counts.set(name, n);
		}
		expect(acknowledged.length).toBeGreaterThan(KILLS);
		for (const [name, seq, n] of acknowledged) expect(stored[seq - 1]).toEqual([name, n]);

		await waitFor(() => seen.events.length >= last);
		await seen.stop();
		expect(seen.resets).toEqual([]);
		expect(seen.events).toEqual(stored.map((event, i) => [i + 1, event]));
	});
});
