import { access } from "node:fs/promises";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RedisServer, requirePart, startRedis } from "../src";
import { isAlive } from "./is-alive";

describe.skipIf(!requirePart("redis-server"))("startRedis", () => {
	let server: RedisServer;
	let client: Redis;

	async function start(options?: Parameters<typeof startRedis>[0]) {
		server = await startRedis(options);
		client = new Redis(server.url, { retryStrategy: () => 20 });
		client.on("error", () => {});
	}

	beforeEach(() => start());
	afterEach(async () => {
		client.disconnect();
		await server.stop();
	});

	async function startAgain(options: Parameters<typeof startRedis>[0]) {
		client.disconnect();
		await server.stop();
		await start(options);
	}

	it("serves commands on its own port", async () => {
		await client.set("name", "baton");

		expect(await client.get("name")).toBe("baton");
	});

	it("loses its data on a restart, and keeps its port and folder", async () => {
		const { port, dir, pid } = server;
		await client.set("name", "baton");

		await server.restart();

		expect(await client.get("name")).toBeNull();
		expect([server.port, server.dir]).toEqual([port, dir]);
		expect(server.pid).not.toBe(pid);
	});

	it("keeps acknowledged writes through SIGKILL and restart with appendOnly", async () => {
		await startAgain({ appendOnly: true });
		await client.set("name", "baton");

		await server.kill();
		await server.restart();

		expect(await client.get("name")).toBe("baton");
	});

	it("takes extra configuration", async () => {
		await startAgain({ extraConfig: { maxmemory: "3mb" } });

		expect(await client.config("GET", "maxmemory")).toEqual(["maxmemory", "3145728"]);
	});

	it("answers nothing while paused, and everything after", async () => {
		await client.ping();
		server.pause();
		let answered = false;
		const reply = client.ping().then((text) => {
			answered = true;
			return text;
		});
		const other = await Promise.race([reply, new Promise((r) => setTimeout(r, 150, "silence"))]);

		expect([other, answered]).toEqual(["silence", false]);
		server.resume();
		expect(await reply).toBe("PONG");
	});

	it("leaves neither process nor folder after stop, even when paused", async () => {
		const { pid, dir } = server;
		server.pause();

		await server.stop();

		expect(isAlive(pid)).toBe(false);
		await expect(access(dir)).rejects.toThrow("ENOENT");
	});

	it("says what redis-server said when it does not start", async () => {
		await expect(startRedis({ extraConfig: { maxmemory: "lots" } })).rejects.toThrow(
			/argument must be a memory value/,
		);
	});
});
