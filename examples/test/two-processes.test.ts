import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type RedisServer, requirePart, spawnNode, startRedis } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../two-processes.mjs", import.meta.url));
const readme = fileURLToPath(new URL("../../README.md", import.meta.url));

describe.skipIf(!requirePart("redis-server"))("the program in the README", () => {
	let redis: RedisServer;
	beforeAll(async () => {
		redis = await startRedis();
	});
	afterAll(() => redis.stop());

	it("is this one", async () => {
		expect(await readFile(readme, "utf8")).toContain(await readFile(program, "utf8"));
	});

	it("follows a session across kills of the writer, nothing missing, nothing repeated", async () => {
		const env = { REDIS_URL: redis.url };
		const reader = spawnNode(program, { args: ["read"], env });
		let stored = 0;
		for (let kill = 0; kill < 3; kill++) {
			const writer = spawnNode(program, { args: ["write"], env });
			const line = await writer.waitForLine((text) => Number(text.slice(7)) > stored + 100);
			stored = Number(line.slice(7));
			writer.kill("SIGKILL");
			await writer.exited;
		}
		await reader.waitForLine((line) => Number.parseInt(line, 10) >= stored);
		reader.kill();
		const seen: number[] = [];
		for await (const line of reader.lines) seen.push(Number.parseInt(line, 10));
		expect(seen.length).toBeGreaterThanOrEqual(stored);
		expect(seen).toEqual(seen.map((_, i) => i + 1));
	});
});
