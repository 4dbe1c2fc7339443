import { type RedisSentinel, requirePart, startSentinel, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Collection } from "../../src/port";
import { openRedisStore, type RedisStoreOptions } from "../../src/redis";
import { collect } from "../collect";
import { shortOrFull } from "../fixture";

/** Far longer than the tests, so that nothing here is seen by polling. */
const NO_POLL = 600_000;
const FAILOVERS = shortOrFull(1, 5);
/** What every process of an installation has. */
const WAITING = { waitReplicas: 1, waitTimeoutMs: 500 };

describe.skipIf(!requirePart("redis-server"))("a Sentinel failover", { timeout: 180_000 }, () => {
	let sentinel: RedisSentinel;
	const open: { close(): Promise<void> }[] = [];
	beforeEach(async () => {
		sentinel = await startSentinel({ replicas: 2 });
	});
	afterEach(async () => {
		for (const one of open.splice(0).reverse()) await one.close();
		await sentinel.stop();
	});

	async function openSessions(options: Partial<RedisStoreOptions> = {}): Promise<Collection> {
		const nodes = sentinel.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
		const url = `redis+sentinel://${nodes}/${sentinel.name}`;
		const store = await openRedisStore({
			url,
			timeoutMs: 30_000,
			commandTimeoutMs: 1_000,
			...options,
		});
		open.push(store);
		return store.collection("sessions");
	}

	async function ask(port: number, ...command: string[]): Promise<unknown> {
		const redis = new Redis(port, "127.0.0.1", { lazyConnect: true, retryStrategy: () => null });
		redis.on("error", () => {});
		try {
			await redis.connect();
			return await redis.call(...(command as [string]));
		} finally {
			redis.disconnect();
		}
	}

	/** Lets the replicas have what there is; they lose their master and do not know what comes then. */
	async function cutReplicasOff(master: { port: number }): Promise<void> {
		await waitFor(async () => {
			const info = String(await ask(master.port, "INFO", "replication"));
			const offset = /master_repl_offset:(\d+)/.exec(info)?.[1];
			return info.split(`offset=${offset},`).length === 3;
		});
		for (const { port } of sentinel.nodes) {
			if (port !== master.port) await ask(port, "REPLICAOF", "127.0.0.1", "1");
		}
	}

	/**
	 * Waits until the other nodes that live have what the master has now, telling those that do not
	 * follow it yet. A replica that calls itself online may still be loading what it was sent.
	 */
	async function allInSync(master: { port: number }, replicas = 2): Promise<void> {
		let wanted: number | null = null;
		await waitFor(
			async () => {
				const info = String(await ask(master.port, "INFO", "replication"));
				wanted ??= Number(/master_repl_offset:(\d+)/.exec(info)?.[1]);
				const offsets = [...info.matchAll(/state=online,offset=(\d+)/g)].map(([, n]) => Number(n));
				const inSync = offsets.filter((offset) => offset >= (wanted ?? 0)).length === replicas;
				if (/^role:master/m.test(info) && inSync) return true;
				for (const { port } of sentinel.nodes) {
					if (port === master.port) continue;
					const role = String(await ask(port, "INFO", "replication").catch(() => ""));
					if (role && !role.includes(`master_port:${master.port}`)) {
						await ask(port, "REPLICAOF", "127.0.0.1", `${master.port}`);
					}
				}
				return false;
			},
			{ timeoutMs: 30_000, everyMs: 100, what: "the replicas to be in sync" },
		);
	}

	/** Appends 1, 2, 3 … one by one until stopped. An append that fails ends it with its error. */
	function writeNumbers(sessions: Collection) {
		const acknowledged: number[] = [];
		let wanted = true;
		const done = (async () => {
			for (let n = 1; wanted; n++) {
				const { first } = await sessions.append("a", "events", [n]);
				expect(first).toBe(n);
				acknowledged.push(n);
			}
		})();
		done.catch(() => {});
		return {
			acknowledged,
			async goOn(more = 50) {
				const from = acknowledged.length;
				await Promise.race([
					done,
					waitFor(() => acknowledged.length >= from + more, { timeoutMs: 30_000, what: "writes" }),
				]);
			},
			async stop() {
				wanted = false;
				await done;
			},
		};
	}

	/**
	 * The follower holds every event once. It hears of an event before the replicas have confirmed it,
	 * so a failover may take back the one that was being written: that is a reset, and the writer,
	 * which was never answered, writes the same event again.
	 */
	async function expectAllSeen(
		seen: ReturnType<typeof collect>,
		last: number,
		failovers = 1,
	): Promise<void> {
		await waitFor(() => seen.events.at(-1)?.[0] === last, {
			timeoutMs: 20_000,
			what: "the follower",
		});
		await seen.stop();
		expect(seen.sinceReset).toEqual(Array.from({ length: last }, (_, i) => [i + 1, i + 1]));
		expect(seen.events.filter(([seq, event]) => seq !== event)).toEqual([]);
		expect(seen.resets.length).toBeLessThanOrEqual(failovers);
	}

	it(`loses nothing with WAIT when the master is killed, ${FAILOVERS} times`, async () => {
		const sessions = await openSessions(WAITING);
		const reader = await openSessions({ ...WAITING, pollMs: NO_POLL });
		await sessions.create("a", {});
		const seen = collect(reader, "a");
		const writer = writeNumbers(sessions);
		for (let i = 0; i < FAILOVERS; i++) {
			await writer.goOn();
			const old = await sentinel.killMaster();
			const master = await sentinel.succeeded(old);
			await writer.goOn();
			if (i + 1 < FAILOVERS) {
				await old.restart();
				await allInSync(master);
				await sentinel.settled();
			}
		}
		await writer.stop();
		const last = writer.acknowledged.length;
		expect((await sessions.state("a", "events")).last).toBe(last);
		await expectAllSeen(seen, last, FAILOVERS);
	});

	it("loses nothing with WAIT when the master is stopped and wakes up again", async () => {
		const sessions = await openSessions(WAITING);
		const reader = await openSessions({ ...WAITING, pollMs: NO_POLL });
		await sessions.create("a", {});
		const seen = collect(reader, "a");
		const writer = writeNumbers(sessions);
		await writer.goOn();
		const old = await sentinel.master();
		old.pause();
		const master = await sentinel.succeeded(old);
		await writer.goOn();
		old.resume();
		await allInSync(master);
		await writer.goOn();
		await writer.stop();
		await expectAllSeen(seen, writer.acknowledged.length);
	});

	it("is seen by a follower while the old master hangs with its connections", async () => {
		const sessions = await openSessions(WAITING);
		const reader = await openSessions({ ...WAITING, pollMs: NO_POLL });
		await sessions.create("a", {});
		const seen = collect(reader, "a");
		const writer = writeNumbers(sessions);
		await writer.goOn();
		const old = await sentinel.master();
		old.pause();
		await sentinel.succeeded(old);
		await writer.goOn();
		await writer.stop();
		await expectAllSeen(seen, writer.acknowledged.length);
	});

	it("loses nothing with WAIT when the replicas had fallen behind", async () => {
		const sessions = await openSessions({ waitReplicas: 1, waitTimeoutMs: 200, timeoutMs: 1_000 });
		await sessions.create("a", {});
		await sessions.append("a", "events", ["kept"]);
		const old = await sentinel.master();
		await cutReplicasOff(old);
		await expect(sessions.append("a", "events", ["not acknowledged"])).rejects.toMatchObject({
			code: "not_replicated",
			retryable: true,
			message: expect.stringContaining("0 of 1 replicas"),
		});
		await old.kill();
		await allInSync(await sentinel.succeeded(old), 1);
		const appended = await waitFor(() =>
			sessions.append("a", "events", ["later"], { once: { key: "later" } }),
		);
		expect(appended.last).toBe(2);
		const { entries } = await sessions.read("a", "events");
		expect(entries.map(({ event }) => event)).toEqual(["kept", "later"]);
	});

	it("gives a follower a reset where acknowledged events were lost without WAIT", async () => {
		const sessions = await openSessions();
		const reader = await openSessions({ pollMs: NO_POLL });
		await sessions.create("a", {});
		const seen = collect(reader, "a");
		const kept = Array.from({ length: 20 }, (_, i) => `kept ${i}`);
		const lost = Array.from({ length: 20 }, (_, i) => `lost ${i}`);
		const later = Array.from({ length: 30 }, (_, i) => `later ${i}`);
		await sessions.append("a", "events", kept);
		const old = await sentinel.master();
		await cutReplicasOff(old);
		for (const event of lost) await sessions.append("a", "events", [event]);
		await waitFor(() => seen.events.length === 40);
		await old.kill();
		await sentinel.succeeded(old);
		for (const event of later) await sessions.append("a", "events", [event]);

		const stored = (await sessions.read("a", "events")).entries.map(({ seq, event }) => [
			seq,
			event,
		]);
		expect(stored).toEqual([...kept, ...later].map((event, i) => [i + 1, event]));
		await waitFor(() => seen.resets.length > 0 && seen.events.at(-1)?.[0] === stored.length, {
			timeoutMs: 20_000,
			what: "the follower to start anew",
		});
		await seen.stop();
		expect(seen.resets.every(({ reason, first }) => reason === "diverged" && first === 1)).toBe(
			true,
		);
		expect(seen.sinceReset).toEqual(stored);
	});
});
