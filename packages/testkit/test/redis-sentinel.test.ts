import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisSentinel, requirePart, startSentinel, waitFor } from "../src";

describe.skipIf(!requirePart("redis-server"))("startSentinel", () => {
	let sentinel: RedisSentinel;
	beforeAll(async () => {
		sentinel = await startSentinel({ replicas: 2 });
	});
	afterAll(() => sentinel.stop());

	it("fails over to a replica that has the data when the master is killed", async () => {
		const client = new Redis({
			name: sentinel.name,
			sentinels: sentinel.sentinels.map(({ host, port }) => ({ host, port })),
		});
		client.on("error", () => {});
		await client.set("name", "baton");
		await client.wait(2, 1_000);

		const killed = await sentinel.killMaster();
		const next = await waitFor(async () => {
			const master = await sentinel.master();
			return master !== killed && master;
		});

		expect(sentinel.nodes).toContain(next);
		expect(await client.get("name")).toBe("baton");
		client.disconnect();
	});
});
