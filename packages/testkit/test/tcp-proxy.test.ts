import { once } from "node:events";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	type RedisServer,
	requirePart,
	startRedis,
	startTcpProxy,
	type TcpProxy,
	waitFor,
} from "../src";

describe.skipIf(!requirePart("redis-server"))("startTcpProxy", () => {
	let server: RedisServer;
	let proxy: TcpProxy;
	let direct: Redis;
	let client: Redis;

	beforeEach(async () => {
		server = await startRedis();
		proxy = await startTcpProxy({ targetPort: server.port });
		direct = new Redis(server.port);
		client = new Redis(proxy.port, {
			autoResendUnfulfilledCommands: false,
			maxRetriesPerRequest: 0,
			retryStrategy: () => 10,
		});
		client.on("error", () => {});
		await client.ping();
	});
	afterEach(async () => {
		client.disconnect();
		direct.disconnect();
		await proxy.stop();
		await server.stop();
	});

	it("passes bytes both ways, large ones too", async () => {
		const value = "x".repeat(3_000_000);

		await client.set("big", value);

		expect(await client.get("big")).toBe(value);
	});

	it("loses the reply of a command that the server executed, once", async () => {
		const dropped = proxy.dropNextReply((request) => request.includes("incr"));

		await expect(client.incr("n")).rejects.toThrow();
		await dropped;

		expect(await direct.get("n")).toBe("1");
		expect(await waitFor(() => client.incr("n"))).toBe(2);
	});

	it("loses only the reply that was asked for", async () => {
		const dropped = proxy.dropNextReply((request) => request.includes("incr"));

		expect(await client.set("a", "1")).toBe("OK");
		await expect(client.incr("n")).rejects.toThrow();
		await dropped;
	});

	it("has the server execute a whole pipeline whose reply is lost", async () => {
		const dropped = proxy.dropNextReply((request) => request.includes("incr"));
		const pipeline = client.pipeline();
		for (let index = 0; index < 500; index++) pipeline.incr("n");

		await Promise.allSettled([pipeline.exec()]);
		await dropped;

		expect(await direct.get("n")).toBe("500");
	});

	it("holds replies until they are released", async () => {
		proxy.holdReplies();
		const reply = client.incr("n");
		await waitFor(async () => (await direct.get("n")) === "1");

		proxy.releaseReplies();

		expect(await reply).toBe(1);
	});

	it("drops held replies with their connections", async () => {
		proxy.holdReplies();
		const reply = client.incr("n");
		await waitFor(async () => (await direct.get("n")) === "1");

		proxy.dropConnections();
		proxy.releaseReplies();

		await expect(reply).rejects.toThrow();
		expect(await direct.get("n")).toBe("1");
	});

	it("keeps requests from the server while upstream is paused", async () => {
		proxy.pauseUpstream();
		const reply = client.set("name", "baton");
		const seen = await Promise.race([reply, new Promise((r) => setTimeout(r, 100, "silence"))]);

		expect([seen, await direct.exists("name")]).toEqual(["silence", 0]);
		proxy.resumeUpstream();
		expect(await reply).toBe("OK");
	});

	it("delays replies and keeps their order", async () => {
		proxy.delay(80);
		const start = performance.now();

		const first = client.incr("n");
		const second = client.ping().then(() => {
			proxy.delay(0);
			return client.incr("n");
		});

		expect(await Promise.all([first, second])).toEqual([1, 2]);
		expect(performance.now() - start).toBeGreaterThanOrEqual(79);
	});

	it("cuts connections, and takes new ones", async () => {
		const closed = once(client, "close");

		proxy.dropConnections();
		await closed;

		expect(await waitFor(() => client.ping())).toBe("PONG");
	});

	it("closes clients when the server goes away", async () => {
		const closed = once(client, "close");

		await server.kill();

		await closed;
	});
});
