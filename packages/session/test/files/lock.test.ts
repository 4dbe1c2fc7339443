import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFilesStore } from "../../src/files";
import { HOLD, spawnOnFolder } from "./child";
import { dataFolder } from "./data-folder";

const RACERS = 10;

describe("one process per data folder", () => {
	it("refuses a second process and names the first one's pid", async () => {
		const folder = await dataFolder();
		const owner = spawnOnFolder(folder.dir, HOLD);
		await owner.waitForLine("opened");
		await expect(folder.open()).rejects.toMatchObject({
			code: "locked",
			message: expect.stringContaining(`process ${owner.pid} `),
		});
	});

	it("refuses a second store in the same process", async () => {
		const folder = await dataFolder();
		const sessions = await folder.open();
		const second = openFilesStore({ dir: join(folder.dir, ".") });
		await expect(second).rejects.toMatchObject({
			code: "locked",
			message: expect.stringContaining("this process"),
		});
		await sessions.create("a", {});
		await folder.close();
		await folder.open();
	});

	it("takes over from a process that was killed", async () => {
		const folder = await dataFolder();
		const owner = spawnOnFolder(folder.dir, HOLD);
		await owner.waitForLine("opened");
		await owner.stop();
		expect(await readFile(join(folder.dir, ".baton.lock"), "utf8")).toContain(`${owner.pid}`);
		await folder.open();
	});

	it("takes over from an earlier process with a pid that lives again", async () => {
		const folder = await dataFolder();
		const other = spawnOnFolder(folder.dir, HOLD);
		await other.waitForLine("opened");
		const path = join(folder.dir, ".baton.lock");
		const lock = JSON.parse(await readFile(path, "utf8"));
		await writeFile(path, JSON.stringify({ ...lock, start: "1" }));
		await folder.open();
	});

	it.each(["", "{", "garbage"])(
		"takes over a lock that nobody can have written: %j",
		async (text) => {
			const folder = await dataFolder();
			await writeFile(join(folder.dir, ".baton.lock"), text);
			await folder.open();
		},
	);

	it("leaves nothing of the lock behind when it is closed", async () => {
		const folder = await dataFolder();
		await (await folder.open()).get("a");
		await folder.close();
		expect(await folder.names("..")).toEqual(["sessions"]);
	});

	it(`lets exactly one of ${RACERS} processes take over a dead one's lock`, async () => {
		const folder = await dataFolder();
		const dead = spawnOnFolder(folder.dir, HOLD);
		await dead.waitForLine("opened");
		await dead.stop();
		// They wait for a file, so that they start within microseconds of each other.
		const go = `
			const { existsSync } = await import("node:fs");
			say("ready");
			while (!existsSync(dir + "/go")) {}
		`;
		const racers = Array.from({ length: RACERS }, () => spawnOnFolder(folder.dir, go + HOLD));
		for (const racer of racers) await racer.waitForLine("ready");
		await writeFile(join(folder.dir, "go"), "");
		const results = await Promise.all(
			racers.map((racer) => racer.waitForLine((line) => /^(opened|refused)/.test(line), 20_000)),
		);
		const winner = racers[results.indexOf("opened")];
		expect(results.filter((line) => line === "opened")).toHaveLength(1);
		const named = results.filter(
			(line) => line.includes(`locked`) && line.includes(`${winner?.pid}`),
		);
		expect(named, results.join("\n")).toHaveLength(RACERS - 1);
		expect(await folder.names("..")).toEqual([".baton.lock", "go"]);
	});
});
