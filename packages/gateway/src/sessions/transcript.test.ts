import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendEvent, readEvents, type TranscriptEvent } from "./transcript";

let folder: TempDir;
let path: string;

beforeEach(async () => {
	folder = await tempDir("baton-transcript");
	path = join(folder.path, "talk.jsonl");
});
afterEach(() => folder.remove());

const event = (content: string, more: object = {}): TranscriptEvent => ({
	role: "user",
	content,
	timestamp: 1_700_000_000_000,
	...more,
});

describe("appendEvent", () => {
	it("writes JSON.stringify(event) and a newline, and makes the file", async () => {
		const events = [
			event("Hello"),
			event("x", { runId: "r1", toolName: "t", role: "tool_result" }),
		];
		for (const one of events) await appendEvent(path, one);
		expect(await readFile(path, "utf8")).toBe(
			events.map((one) => `${JSON.stringify(one)}\n`).join(""),
		);
	});

	it("ends a torn line first, so that the next one is whole", async () => {
		await appendEvent(path, event("one"));
		await appendFile(path, '{"role":"user","con');
		await appendEvent(path, event("two"));
		expect((await readEvents(path)).map(({ content }) => content)).toEqual(["one", "two"]);
	});

	it("keeps any text, line ends and other alphabets included", async () => {
		const contents = ["a\nb\r\nc", "\u2028\u2029", "日本語 🎉", '"\\', "\u0000"];
		for (const content of contents) await appendEvent(path, event(content));
		expect((await readEvents(path)).map(({ content }) => content)).toEqual(contents);
	});
});

describe("readEvents", () => {
	it("of a missing file is empty, and no error", async () => {
		expect(await readEvents(join(folder.path, "no", "such.jsonl"))).toEqual([]);
	});

	it("leaves out what is no event, wherever it stands", async () => {
		const good = JSON.stringify(event("good"));
		await writeFile(
			path,
			`junk\n${good}\n\n{"role":"nobody","content":"x","timestamp":1}\n[]\n${good}\n{"ro`,
		);
		expect(await readEvents(path)).toEqual([event("good"), event("good")]);
	});
});
