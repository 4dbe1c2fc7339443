import { type RedisServer, requirePart, startRedis } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Collection, Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";
import { shortOrFull, startFixture } from "../fixture";

const PROCESSES = 5;

describe.skipIf(!requirePart("redis-server"))("many processes on one session", () => {
	let redis: RedisServer;
	let store: Store;
	let sessions: Collection;
	beforeEach(async () => {
		redis = await startRedis();
		store = await openRedisStore({ url: redis.url });
		sessions = store.collection("sessions");
	});
	afterEach(async () => {
		await store.close();
		await redis.stop();
	});

	/** Runs the program in every process at once and returns the line of JSON that each printed. */
	async function runEverywhere<T>(program: string, ...args: number[]): Promise<T[]> {
		const children = Array.from({ length: PROCESSES }, (_, i) =>
			startFixture(program, redis.url, `p${i}`, ...args),
		);
		return Promise.all(
			children.map(async (child) => {
				const line = await child.waitForLine(() => true, 240_000);
				expect(await child.exited).toEqual({ code: 0, signal: null });
				return JSON.parse(line) as T;
			}),
		);
	}

	it("keep every update and every count of 50 connections", { timeout: 300_000 }, async () => {
		const connections = 10;
		const rounds = shortOrFull(4, 40);
		const total = PROCESSES * connections * rounds;
		await sessions.create("a", { total: 0, byWriter: {} });
		const numbers = await runEverywhere<number[]>("redis-updater", connections, rounds);

		const record = await sessions.get("a");
		expect(record?.value.total).toBe(total);
		expect(record?.version).toBe(total + 1);
		const byWriter = Object.values(record?.value.byWriter as Record<string, number>);
		expect(byWriter).toEqual(Array.from({ length: PROCESSES * connections }, () => rounds));
		expect(numbers.flat().sort((a, b) => a - b)).toEqual(
			Array.from({ length: total }, (_, i) => i + 1),
		);
	});

	it("hold a lease one at a time, 20 writers racing", { timeout: 300_000 }, async () => {
		const connections = 4;
		const turns = shortOrFull(4, 24);
		await sessions.create("a", {});
		const results = await runEverywhere<{ refused: number }>(
			"redis-lease-racer",
			connections,
			turns,
		);

		const sleepers = PROCESSES * connections * Math.floor(turns / 4);
		expect(results.reduce((sum, { refused }) => sum + refused, 0)).toBe(sleepers);
		const { entries } = await sessions.read("a", "events", { limit: 10_000 });
		const events = entries.map(({ event }) => event as { what: string; token: number });
		expect(events.filter(({ what }) => what === "late")).toEqual([]);
		expect(events.filter(({ what }) => what === "leave")).toHaveLength(
			PROCESSES * connections * turns - sleepers,
		);
		// Nobody enters with an older token, and nobody enters between another's enter and leave.
		let inside: number | null = null;
		let newest = 0;
		for (const { what, token } of events) {
			if (what === "enter") {
				expect(token).toBeGreaterThan(newest);
				newest = token;
				inside = token;
			} else {
				expect(inside).toBe(token);
				inside = null;
			}
		}
		const first = events[0]?.token ?? 0;
		expect((await sessions.takeLease("a", { holder: "last", ttlMs: 1_000 }))?.token).toBe(
			first + PROCESSES * connections * turns,
		);
	});
});
