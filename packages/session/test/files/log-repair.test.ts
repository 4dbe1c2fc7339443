import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src";
import { dataFolder, events } from "./data-folder";

const BEFORE: Json[] = [{ n: 1 }, { n: 2 }, { n: 3 }];

describe.each([
	["a single event", [{ text: 'ü "quoted" 😀', list: [1, { a: null }] }]],
	["a batch", [{ b: 1 }, ["second", "ü"], "third 😀", { b: 4 }]],
	["a batch of numbers", [12, 345, 6]],
] as [string, Json[]][])("a log cut off inside %s", (_, last) => {
	it("opens at every byte, with everything before it and the right next number", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		await sessions.append("a", "transcript", BEFORE.slice(0, 1));
		await sessions.append("a", "transcript", BEFORE.slice(1));
		const start = (await readFile(folder.path("a.jsonl"))).length;
		await sessions.append("a", "transcript", last);
		await folder.close();
		const whole = await readFile(folder.path("a.jsonl"));
		const kept = BEFORE.map((event, i) => [i + 1, event]);
		const all = [...BEFORE, ...last].map((event, i) => [i + 1, event]);
		for (let length = start; length <= whole.length; length++) {
			await writeFile(folder.path("a.jsonl"), whole.subarray(0, length));
			sessions = await folder.open();
			const found = await events(sessions, "a");
			// A batch is there whole or not at all; only its last newline may be missing.
			const complete = length === whole.length || found.length > kept.length;
			expect(found, `cut at ${length} of ${whole.length}`).toEqual(complete ? all : kept);
			if (complete) expect(length).toBeGreaterThanOrEqual(whole.length - 1);
			expect(await sessions.append("a", "transcript", ["next"])).toMatchObject({
				first: found.length + 1,
			});
			await sessions.append("a", "transcript", ["and", "more"]);
			await folder.open().then(async (reopened) => {
				const events = found.length + 3;
				expect((await reopened.tail("a", "transcript", 1)).last).toBe(events);
			});
		}
	});
});

it("sets the torn end aside and reports it", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	await sessions.create("a", {});
	await sessions.append("a", "transcript", BEFORE);
	await folder.close();
	await appendFile(folder.path("a.jsonl"), '{"text":"torn of');
	sessions = await folder.open();
	expect((await events(sessions, "a")).length).toBe(3);
	expect(folder.problems).toMatchObject([{ kind: "torn-line", path: folder.path("a.jsonl") }]);
	expect(JSON.parse(await folder.read(".baton", "a.transcript.bad.jsonl"))).toEqual({
		seq: 4,
		reason: "torn-line",
		text: '{"text":"torn of',
	});
});

it("keeps a whole last line that a person left without its newline", async () => {
	const folder = await dataFolder();
	await folder.write("a.meta.json", "{}");
	await folder.write("a.jsonl", '{"n":1}\n{"n":2}');
	const sessions = await folder.open();
	expect(await events(sessions, "a")).toEqual([
		[1, { n: 1 }],
		[2, { n: 2 }],
	]);
	await sessions.append("a", "transcript", [{ n: 3 }]);
	expect(await folder.read("a.jsonl")).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
	expect(folder.problems).toEqual([]);
});

describe("a bad line in the middle", () => {
	const invalid = Buffer.concat([Buffer.from('{"n":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]);
	const lines = [Buffer.from('{"n":1}'), Buffer.from("not JSON"), invalid, Buffer.from('{"n":4}')];
	const content = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
	const expected = [
		[1, { n: 1 }],
		[2, { type: "log.corrupt", line: 2 }],
		[3, { type: "log.corrupt", line: 3 }],
		[4, { n: 4 }],
	];

	it("keeps its number, is set aside once and reported once", async () => {
		const folder = await dataFolder();
		await folder.write("a.meta.json", "{}");
		await folder.write("a.jsonl", content);
		let sessions = await folder.open();
		expect(await events(sessions, "a")).toEqual(expected);
		expect((await sessions.tail("a", "transcript", 3)).entries[0]?.json).toBe(
			'{"type":"log.corrupt","line":2}',
		);
		expect(await sessions.append("a", "transcript", [{ n: 5 }])).toMatchObject({ first: 5 });
		sessions = await folder.open();
		expect(await events(sessions, "a")).toEqual([...expected, [5, { n: 5 }]]);
		expect(folder.problems.map(({ kind }) => kind)).toEqual(["bad-line", "bad-line"]);
		const aside = (await folder.read(".baton", "a.transcript.bad.jsonl")).trim().split("\n");
		expect(aside.map((line) => JSON.parse(line))).toEqual([
			{ seq: 2, reason: "bad-line", text: "not JSON" },
			{ seq: 3, reason: "bad-line", base64: invalid.toString("base64") },
		]);
		expect((await readFile(folder.path("a.jsonl"))).subarray(0, content.length)).toEqual(content);
	});
});

it("cuts a batch off whose first lines reach back before a checkpoint", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	await sessions.create("a", {});
	await sessions.append("a", "transcript", ["before"]);
	await sessions.append("a", "transcript", new Array(50).fill("x".repeat(10_000)));
	await folder.close();
	const { length } = await readFile(folder.path("a.jsonl"));
	await truncate(folder.path("a.jsonl"), length - 5_000);
	sessions = await folder.open();
	expect(await events(sessions, "a")).toEqual([[1, "before"]]);
	expect(folder.problems).toMatchObject([{ kind: "incomplete-batch" }]);
});
