import {
	type NodeProcess,
	type RedisServer,
	requirePart,
	startRedis,
	startTcpProxy,
	waitFor,
} from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Collection, Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";
import { startFixture } from "../fixture";

const LEASE_MS = 400;

describe.skipIf(!requirePart("redis-server"))("a holder that slept past its lease", () => {
	let redis: RedisServer;
	let store: Store;
	let sessions: Collection;
	const open: { stop(): Promise<void> }[] = [];
	beforeEach(async () => {
		redis = await startRedis();
		store = await openRedisStore({ url: redis.url });
		sessions = store.collection("sessions");
		await sessions.create("a", {});
	});
	afterEach(async () => {
		for (const one of open.splice(0)) await one.stop();
		await store.close();
		await redis.stop();
	});

	const state = () => sessions.state("a", "events");
	const leaseFree = () => waitFor(async () => (await state()).lease === null);

	/** A process that holds the lease and writes, stopped in the middle of it (SIGSTOP). */
	async function stoppedHolder(
		first: "renew" | "append",
	): Promise<{ holder: NodeProcess; held: number }> {
		const holder = startFixture("redis-leaseholder", redis.url, LEASE_MS, first);
		open.push(holder);
		const held = Number((await holder.waitForLine("held")).split(" ")[1]);
		for (let i = 0; i < 5; i++) await holder.waitForLine("wrote");
		holder.kill("SIGSTOP");
		await leaseFree();
		return { holder, held };
	}

	for (const first of ["append", "renew"] as const) {
		it(`writes nothing once another has taken it (${first} comes first)`, async () => {
			const { holder, held } = await stoppedHolder(first);
			const { last } = await state();
			const lease = await sessions.takeLease("a", { holder: "next", ttlMs: 60_000 });
			if (!lease) throw new Error("The lease is free, and was refused.");
			expect(lease.token).toBe(held + 1);
			await sessions.append("a", "events", ["next"], { lease });
			holder.kill("SIGCONT");
			expect(await holder.waitForLine("lease_lost")).toBe("lease_lost 0");
			await sessions.append("a", "events", ["next"], { lease });
			const { entries } = await sessions.read("a", "events", { after: last });
			expect(entries.map(({ event }) => event)).toEqual(["next", "next"]);
			expect((await state()).lease?.holder).toBe("next");
		});

		it(`writes nothing when nobody has taken it (${first} comes first)`, async () => {
			const { holder } = await stoppedHolder(first);
			const { last } = await state();
			holder.kill("SIGCONT");
			expect(await holder.waitForLine("lease_lost")).toBe("lease_lost 0");
			expect((await state()).last).toBe(last);
			expect((await state()).lease).toBeNull();
		});
	}

	it("writes nothing by an append that was on its way for too long", async () => {
		const proxy = await startTcpProxy({ targetPort: redis.port });
		open.push(proxy);
		const slow = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}` });
		open.push({ stop: () => slow.close() });
		const slowSessions = slow.collection("sessions");
		const lease = await slowSessions.takeLease("a", { holder: "slow", ttlMs: LEASE_MS });
		if (!lease) throw new Error("The lease is free, and was refused.");
		await slowSessions.append("a", "events", ["in time"], { lease });
		proxy.pauseUpstream();
		const late = slowSessions.append("a", "events", ["late"], { lease });
		const lost = expect(late).rejects.toMatchObject({ code: "lease_lost", retryable: false });
		await leaseFree();
		proxy.resumeUpstream();
		await lost;
		expect((await state()).last).toBe(1);
	});
});
