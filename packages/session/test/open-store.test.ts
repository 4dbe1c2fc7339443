import { fileURLToPath } from "node:url";
import { freePort, requirePart, spawnNode, startRedis, tempDir } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { openStore, type StoreConfig } from "../src/open-store";

describe("openStore", () => {
	it("opens the memory driver", async () => {
		const store = await openStore({ driver: "memory" });
		expect(store.driver).toBe("memory");
		await store.close();
	});

	it("opens the files driver with its options", async () => {
		const folder = await tempDir();
		const store = await openStore({ driver: "files", dir: folder.path });
		expect(store.driver).toBe("files");
		await store.collection("sessions").create("a", { x: 1 });
		await store.close();
		await folder.remove();
	});

	it.skipIf(!requirePart("redis-server"))("opens the Redis driver with its options", async () => {
		const redis = await startRedis();
		const store = await openStore({ driver: "redis", url: redis.url, prefix: "p:" });
		expect(store.driver).toBe("redis");
		await store.check();
		await store.close();
		await redis.stop();
	});

	it.each(["sqlite", "", undefined])("refuses the driver %j", async (driver) => {
		await expect(openStore({ driver } as unknown as StoreConfig)).rejects.toMatchObject({
			code: "invalid",
			message: expect.stringContaining('use "memory", "files" or "redis"'),
		});
	});

	it("refuses no configuration at all", async () => {
		await expect(openStore(undefined as unknown as StoreConfig)).rejects.toMatchObject({
			code: "invalid",
		});
	});

	it("fails where the configured Redis does not answer, and takes nothing else", async () => {
		const port = await freePort();
		const url = `redis://:secret-word@127.0.0.1:${port}`;
		const opening = openStore({ driver: "redis", url, timeoutMs: 500 });
		await expect(opening).rejects.toMatchObject({
			code: "unavailable",
			message: expect.stringContaining(`redis://127.0.0.1:${port}`),
		});
		await expect(opening).rejects.not.toMatchObject({
			message: expect.stringContaining("secret-word"),
		});
	});
});

describe("the built package", () => {
	const cwd = fileURLToPath(new URL("..", import.meta.url));

	/** Whether a process has loaded the client of Redis after it ran the code. */
	async function loadsRedisClient(code: string): Promise<boolean> {
		const child = spawnNode({
			cwd,
			code: `
				import { createRequire } from "node:module";
				${code}
				const loaded = Object.keys(createRequire(import.meta.url).cache);
				process.stdout.write("loaded " + loaded.some((path) => path.includes("ioredis")) + "\\n");
			`,
		});
		return (await child.waitForLine("loaded")) === "loaded true";
	}

	it("loads the client of Redis with the Redis driver", async () => {
		expect(await loadsRedisClient('await import("@baton/session/redis");')).toBe(true);
	});

	it.each(["", "/memory", "/files"])("does not load it with @baton/session%s", async (entry) => {
		expect(await loadsRedisClient(`await import("@baton/session${entry}");`)).toBe(false);
	});

	it("does not load it when openStore opens another driver", async () => {
		const code = `
			const { openStore } = await import("@baton/session");
			await openStore({ driver: "memory" });
		`;
		expect(await loadsRedisClient(code)).toBe(false);
	});
});
