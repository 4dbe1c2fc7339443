import { copyFile, cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { requirePart, startRedis, tempDir, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";
import { allLines, attach, linesOf, readUntil, run, textOf } from "./support/turn";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const KEYS = { BATON_API_KEYS: "ada:ada-key-0123456789" };

async function start(env: Record<string, string> = {}): Promise<{ server: Server; data: string }> {
	const home = await tempDir("baton-backup");
	cleanUps.push(home.remove);
	const server = await startServer({ home: home.path, env: { ...KEYS, ...env } });
	cleanUps.push(() => server.process.stop());
	return { server, data: env.BATON_DATA_DIR ?? join(home.path, ".proj-jarvis") };
}

/** A session with a turn that has ended, and one in the middle of its turn. */
async function talk(server: Server): Promise<void> {
	await allLines(await run(server, "/stream 30 words", { session_id: "ended" }));
	const running = linesOf(await run(server, "count to 150 every 20ms", { session_id: "running" }));
	await readUntil(running, (line) => String(line.content).trim() === "20");
}

/** What was there at the time of the copy is there, and the turn that ran then goes on. */
async function expectRestored(server: Server): Promise<void> {
	const ended = await allLines(await attach(server, "ended"));
	expect(textOf(ended)).toMatch(/^w1 w2 .* w30$/);
	const running = await allLines(await attach(server, "running"));
	expect(textOf(running).trim().split(/\s+/)).toHaveLength(150);
	expect(running.filter(({ type }) => type === "result")).toMatchObject([{ status: "success" }]);
	expect(running.some(({ type }) => type === "recovered")).toBe(true);
}

describe("a back-up", () => {
	it("of files: a copy of the folder at one moment is a server that goes on from there", async () => {
		const { server, data } = await start();
		const copy = await tempDir("baton-copy");
		cleanUps.push(copy.remove);
		await talk(server);
		// What a snapshot of the file system does: nothing moves while it is taken.
		server.process.kill("SIGSTOP");
		await cp(data, copy.path, { recursive: true });
		server.process.kill("SIGCONT");
		await rm(join(copy.path, ".baton.lock"));
		const restored = await start({ BATON_DATA_DIR: copy.path });
		await expectRestored(restored.server);
		const original = await allLines(await attach(server, "running"));
		expect(original.some(({ type }) => type === "recovered")).toBe(false);
	});

	it.skipIf(!requirePart("redis-server"))(
		"of Redis: its dump on another Redis is a server that goes on from there",
		async () => {
			const [redis, other] = await Promise.all([startRedis(), startRedis()]);
			cleanUps.push(redis.stop, other.stop);
			const { server } = await start({ REDIS_URL: redis.url });
			await talk(server);
			await dump(redis.url);
			await copyFile(join(redis.dir, "dump.rdb"), join(other.dir, "dump.rdb"));
			await other.restart();
			await expectRestored((await start({ REDIS_URL: other.url })).server);
		},
	);
});

async function dump(url: string): Promise<void> {
	const admin = new Redis(url);
	await admin.bgsave();
	await waitFor(async () => (await admin.info("persistence")).includes("rdb_bgsave_in_progress:0"));
	admin.disconnect();
}
