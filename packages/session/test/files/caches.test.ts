import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { dataFolder, events } from "./data-folder";

describe("the offset index of a long log", () => {
	const COUNT = 3_000;
	async function longLog() {
		const folder = await dataFolder();
		const sessions = await folder.open();
		await sessions.create("a", {});
		for (let n = 1; n <= COUNT; n += 100) {
			const batch = Array.from({ length: 100 }, (_, i) => ({ n: n + i, pad: "x".repeat(200) }));
			await sessions.append("a", "transcript", batch);
		}
		await folder.close();
		const index = folder.path(".baton", "a.transcript.idx");
		return { folder, index };
	}

	async function expectWhole({ folder }: Awaited<ReturnType<typeof longLog>>) {
		const sessions = await folder.open();
		expect(await sessions.state("a", "transcript")).toMatchObject({ first: 1, last: COUNT });
		for (const after of [0, 1, 777, 1_500, 2_400, COUNT - 300]) {
			const { entries } = await sessions.read("a", "transcript", { after, limit: 3 });
			expect(entries.map(({ seq }) => seq)).toEqual([after + 1, after + 2, after + 3]);
			expect(entries.map(({ event }) => (event as { n: number }).n)).toEqual([
				after + 1,
				after + 2,
				after + 3,
			]);
		}
		expect(await sessions.append("a", "transcript", [1])).toMatchObject({ first: COUNT + 1 });
	}

	it("is used when it is there", async () => {
		const log = await longLog();
		expect((await readFile(log.index, "utf8")).trim().split("\n").length).toBeGreaterThan(3);
		await expectWhole(log);
	});

	it("is made anew when it is missing", async () => {
		const log = await longLog();
		const content = await readFile(log.index, "utf8");
		await rm(log.index);
		await expectWhole(log);
		expect((await readFile(log.index, "utf8")).trim().split("\n").length).toBe(
			content.trim().split("\n").length,
		);
	});

	it.each([
		["of another file", (text: string) => text.replaceAll(/^(\d+) (\d+) (.*)$/gm, "$1 $2 9 9")],
		[
			"shifted by one",
			(text: string) => text.replaceAll(/^(\d+) (\d+) /gm, (_, s, o) => `${s} ${Number(o) + 1} `),
		],
		["of another first event", (text: string) => text.replace(/^1\n/, "500\n")],
		["garbage", () => "\0\u0001 garbage\n1 2 3\n"],
		["torn", (text: string) => text.slice(0, -7)],
		["empty", () => ""],
	])("does no harm when it is %s", async (_, damage) => {
		const log = await longLog();
		await writeFile(log.index, damage(await readFile(log.index, "utf8")));
		await expectWhole(log);
	});

	it("does no harm when it is of the log before it was trimmed", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		// Lines that are all the same look right at many wrong places.
		await sessions.append("a", "transcript", new Array(5_000).fill("x".repeat(97)));
		await sessions.append("a", "transcript", new Array(5_000).fill("x".repeat(97)));
		const index = folder.path(".baton", "a.transcript.idx");
		const before = await readFile(index);
		await sessions.trim("a", "transcript", 2_001);
		await folder.close();
		await writeFile(index, before);
		sessions = await folder.open();
		expect(await sessions.state("a", "transcript")).toMatchObject({ first: 2_001, last: 10_000 });
	});

	it("does no harm when the log was edited by hand", async () => {
		const { folder } = await longLog();
		const text = await folder.read("a.jsonl");
		await writeFile(folder.path("a.jsonl"), text.slice(text.indexOf("\n") + 1));
		const sessions = await folder.open();
		expect(await sessions.state("a", "transcript")).toMatchObject({ last: COUNT - 1 });
		const { entries } = await sessions.read("a", "transcript", { after: 2_000, limit: 1 });
		expect(entries[0]?.event).toMatchObject({ n: 2_002 });
	});
});

describe("the session index", () => {
	it("notices files that were dropped in and removed by hand", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("kept", {}, { createdAt: 1 });
		await sessions.create("removed", {}, { aliases: ["x"], createdAt: 2 });
		await folder.close();
		await rm(folder.path("removed.meta.json"));
		await folder.write("dropped.meta.json", '{"createdAt":3}');
		sessions = await folder.open();
		expect((await sessions.list()).records.map(({ id }) => id)).toEqual(["dropped", "kept"]);
		expect(await sessions.find("x")).toBeNull();
		expect(await sessions.get("removed")).toBeNull();
		expect(folder.problems).toEqual([]);
	});

	it.each([
		["missing", null],
		["garbage", "\0 not JSON\n{}\n"],
		["torn", '{"id":"a","createdAt":5,"grou'],
		["cut short", '{"id":"a","createdAt":9,"group":"bob","aliases":[],"ttlMs":null}\n'],
	])("is made anew when it is %s", async (_, content) => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		const record = await sessions.create("a", {}, { aliases: ["x"], group: "ada", createdAt: 5 });
		await folder.close();
		const path = folder.path(".baton", "index.jsonl");
		if (content === null) await rm(path);
		else await writeFile(path, content);
		sessions = await folder.open();
		expect((await sessions.list({ group: "ada" })).records).toEqual([record]);
		expect(await sessions.find("x")).toEqual(record);
	});

	it("is not believed about what changed after it was last written", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {}, { aliases: ["old"] });
		await sessions.create("b", {}, { aliases: ["gone"] });
		await sessions.update("a", (value) => value, { addAliases: ["new"], removeAliases: ["old"] });
		await sessions.delete("b");
		// What a killed process leaves: the folder as it is, and the index as it was written so far.
		const index = await folder.read(".baton", "index.jsonl");
		await sessions.create("b", {}, { group: "ada" });
		await folder.close();
		await writeFile(folder.path(".baton", "index.jsonl"), index);
		sessions = await folder.open();
		expect((await sessions.find("new"))?.id).toBe("a");
		expect(await sessions.find("old")).toBeNull();
		expect(await sessions.find("gone")).toBeNull();
		expect((await sessions.list({ group: "ada" })).records.map(({ id }) => id)).toEqual(["b"]);
	});

	it("is not believed after the machine went down without a clean end", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {}, { group: "ada" });
		await folder.close();
		const index = folder.path(".baton", "index.jsonl");
		const text = (await readFile(index, "utf8")).replace('{"closed":true}\n', "");
		expect(text).toMatch(/"boot":"/);
		await writeFile(
			index,
			text.replace(/"boot":"[^"]*"/, '"boot":"another"').replace('"ada"', '"bob"'),
		);
		sessions = await folder.open();
		expect((await sessions.list({ group: "ada" })).records).toHaveLength(1);
	});
});

describe("the journal", () => {
	it.each(['{"counter":{"name":"n","va', '{"token":', "\0\0\0"])(
		"loses a torn last line and nothing before it: %j",
		async (torn) => {
			const folder = await dataFolder();
			let sessions = await folder.open();
			await sessions.create("a", {});
			await sessions.increment("a", "n");
			await sessions.append("a", "transcript", [1], { once: { key: "k" } });
			await folder.close();
			await appendFile(folder.path(".baton", "a.journal.jsonl"), torn);
			sessions = await folder.open();
			expect(await sessions.increment("a", "n")).toBe(2);
			const again = await sessions.append("a", "transcript", [1], { once: { key: "k" } });
			expect(again.repeated).toBe(true);
			sessions = await folder.open();
			expect(await sessions.increment("a", "n")).toBe(3);
		},
	);

	it("does not count what was to go with events that never came", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		await sessions.append("a", "events", [1], { swap: { register: "run", from: null, to: "r1" } });
		await folder.close();
		await appendFile(
			folder.path(".baton", "a.journal.jsonl"),
			`${JSON.stringify({ log: "events", first: 2, last: 3, once: { key: "k", digest: "d" }, register: { name: "run", value: "r2" } })}\n`,
		);
		sessions = await folder.open();
		expect((await sessions.state("a", "events")).registers).toEqual({ run: "r1" });
		// Later events that reach the number do not make it count either.
		await sessions.append("a", "events", [2, 3, 4]);
		sessions = await folder.open();
		expect((await sessions.state("a", "events")).registers).toEqual({ run: "r1" });
		const fresh = await sessions.append("a", "events", [5], { once: { key: "k" } });
		expect(fresh).toEqual({ first: 5, last: 5, repeated: false });
	});

	it("leaves out a bad line in the middle, and says so", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		await sessions.increment("a", "n");
		await folder.close();
		const path = folder.path(".baton", "a.journal.jsonl");
		await writeFile(path, `garbage\n${await readFile(path, "utf8")}`);
		sessions = await folder.open();
		expect(await sessions.increment("a", "n")).toBe(2);
		expect(folder.problems).toMatchObject([{ kind: "bad-journal" }]);
	});

	it("stays short however often a counter is bumped", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		for (let n = 1; n <= 2_500; n++) expect(await sessions.increment("a", "n")).toBe(n);
		const lines = (await folder.read(".baton", "a.journal.jsonl")).split("\n").length;
		expect(lines).toBeLessThan(1_500);
		sessions = await folder.open();
		expect(await sessions.increment("a", "n")).toBe(2_501);
	});
});

it("keeps alarms through a torn alarm file", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	for (const id of ["a", "b", "c"]) await sessions.create(id, {});
	await sessions.setAlarm("b", 100);
	await sessions.setAlarm("a", 1);
	await sessions.setAlarm("c", 1);
	await sessions.clearAlarm("c");
	await folder.close();
	await appendFile(folder.path(".baton", "alarms.jsonl"), '{"id":"a","at":nul');
	sessions = await folder.open();
	await expect.poll(() => sessions.dueAlarms(10)).toEqual(["a", "b"]);
	expect(await events(sessions, "a")).toEqual([]);
});
