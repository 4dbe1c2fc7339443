import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "./manager";
import { Session } from "./session";

let folder: TempDir;
let dir: string;
let manager: SessionManager;

beforeEach(async () => {
	folder = await tempDir("baton-manager");
	dir = join(folder.path, "sessions");
	manager = new SessionManager(dir);
});
afterEach(() => folder.remove());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("SessionManager on a folder", () => {
	it("create writes <key>.meta.json beside <key>.jsonl, under a random UUID", async () => {
		const before = Date.now();
		const { meta, transcriptPath } = await manager.create("poet");
		expect(meta.key).toMatch(UUID);
		expect(transcriptPath).toBe(join(dir, `${meta.key}.jsonl`));
		expect((await readdir(dir)).sort()).toEqual([`${meta.key}.jsonl`, `${meta.key}.meta.json`]);
		const stored = JSON.parse(await readFile(join(dir, `${meta.key}.meta.json`), "utf8"));
		expect(stored).toEqual(meta);
		expect(meta).toMatchObject({ agentId: "poet" });
		expect(meta.createdAt).toBeGreaterThanOrEqual(before);
		expect((await manager.create()).meta.agentId).toBe("assistant");
	});

	it("get finds what another manager made, and null for what is not there", async () => {
		const made = await manager.create();
		const found = await new SessionManager(dir).get(made.meta.key);
		expect(found?.meta).toEqual(made.meta);
		expect(await manager.get(crypto.randomUUID())).toBeNull();
	});

	it("get never takes a text that is no UUID for a key", async () => {
		await mkdir(dir, { recursive: true });
		const outside = join(folder.path, "secret.meta.json");
		await writeFile(
			outside,
			JSON.stringify({ key: "../secret", agentId: "x", createdAt: 1, updatedAt: 1 }),
		);
		for (const key of ["../secret", "..", "", "secret", "a/b", "\u0000", "x".repeat(500)]) {
			expect(await manager.get(key)).toBeNull();
		}
	});

	it("list is sorted by createdAt, newest first; other files and broken ones are left out", async () => {
		expect(await manager.list()).toEqual([]);
		const metas = [];
		for (let i = 0; i < 5; i++) {
			const { meta } = await manager.create();
			const at = 1_000 * (i % 2 === 0 ? i + 10 : i);
			metas.push({ ...meta, createdAt: at });
			await writeFile(join(dir, `${meta.key}.meta.json`), JSON.stringify(metas.at(-1)));
		}
		await writeFile(join(dir, "notes.txt"), "mine");
		await writeFile(join(dir, `${crypto.randomUUID()}.meta.json`), "{");
		await writeFile(join(dir, `${crypto.randomUUID()}.meta.json`), '{"key":"other"}');
		expect(await manager.list()).toEqual(metas.toSorted((a, b) => b.createdAt - a.createdAt));
	});
});

describe("Session", () => {
	it("appends to its transcript and reads it", async () => {
		const session = new Session(
			{ key: crypto.randomUUID(), agentId: "assistant", createdAt: 1, updatedAt: 1 },
			dir,
		);
		expect(await session.readEvents()).toEqual([]);
		const event = { role: "user", content: "Hello", timestamp: 5, runId: "r" } as const;
		await session.appendEvent(event);
		expect(await session.readEvents()).toEqual([event]);
		expect(await readFile(session.transcriptPath, "utf8")).toBe(`${JSON.stringify(event)}\n`);
	});
});
