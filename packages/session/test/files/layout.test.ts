import { readFile, stat } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Json } from "../../src";
import { dataFolder, events } from "./data-folder";

it("keeps a record bare in <id>.meta.json, with one added field", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	const value = { key: "a", agentId: "assistant", createdAt: 7, updatedAt: 7 };
	await sessions.create("a", value, { aliases: ["x"], group: "ada", createdAt: 7 });
	const { _baton, ...rest } = JSON.parse(await folder.read("a.meta.json"));
	expect(rest).toEqual(value);
	expect(_baton).toEqual({
		version: 1,
		aliases: ["x"],
		group: "ada",
		ttlMs: null,
		createdAt: 7,
		updatedAt: 7,
	});
});

it("keeps event n bare on line n, readable by any JSONL reader", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("a", {});
	const batch: Json[] = [
		{ role: "user", content: "line\nbreak \u2028 ü 😀" },
		{ role: "assistant" },
		[1],
	];
	await sessions.append("a", "transcript", batch);
	await sessions.append("a", "transcript", [{ last: true }]);
	await sessions.append("a", "events", ["other log"]);
	// As seed 004 reads it.
	const text = await readFile(folder.path("a.jsonl"), "utf8");
	const parsed = text
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	expect(parsed).toEqual([...batch, { last: true }]);
	expect(await folder.read("a.events.jsonl")).toBe('"other log"\n');
	const { entries } = await sessions.read("a", "transcript");
	expect(entries.map((entry) => entry.json)).toEqual(
		[...batch, { last: true }].map((event) => JSON.stringify(event)),
	);
});

it("shows nothing in the folder but meta files and logs", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("a", {}, { ttlMs: 60_000 });
	await sessions.append("a", "transcript", [1, 2, 3], { once: { key: "k" } });
	await sessions.trim("a", "transcript", 2);
	await sessions.setAlarm("a", 1_000);
	await sessions.increment("a", "n");
	expect(await folder.names()).toEqual([".baton", "a.@2.jsonl", "a.meta.json"]);
});

it("is readable by its owner alone", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("a", {});
	await sessions.append("a", "transcript", [1], { once: { key: "k" } });
	const mode = async (name: string) => (await stat(folder.path(name))).mode & 0o777;
	expect(await mode("a.meta.json")).toBe(0o600);
	expect(await mode("a.jsonl")).toBe(0o600);
	expect(await mode(".baton/a.journal.jsonl")).toBe(0o600);
	expect(await mode(".")).toBe(0o700);
	expect(await mode(".baton")).toBe(0o700);
});

it("opens files that another program made", async () => {
	const folder = await dataFolder();
	const meta = { key: "seed", agentId: "assistant", createdAt: 1_700_000_000_000, updatedAt: 5 };
	await folder.write("seed.meta.json", JSON.stringify(meta));
	await folder.write("seed.jsonl", '{"role":"user","content":"hi"}\n{"role":"assistant"}\n');
	await folder.write("notes.txt", "not ours");
	const sessions = await folder.open();
	expect(await sessions.get("seed")).toEqual({
		id: "seed",
		value: meta,
		version: 1,
		aliases: [],
		group: "",
		ttlMs: null,
		createdAt: 1_700_000_000_000,
		updatedAt: 5,
	});
	expect((await sessions.list()).records.map(({ id }) => id)).toEqual(["seed"]);
	expect(await sessions.append("seed", "transcript", [{ n: 3 }])).toMatchObject({ first: 3 });
	expect(folder.problems).toEqual([]);
});

it("takes the file's time where a meta file says none", async () => {
	const folder = await dataFolder();
	await folder.write("bare.meta.json", "{}");
	const sessions = await folder.open();
	const { mtimeMs } = await stat(folder.path("bare.meta.json"));
	expect((await sessions.get("bare"))?.createdAt).toBe(Math.trunc(mtimeMs));
});

it("refuses a value that would hide the added field", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await expect(sessions.create("a", { _baton: 1 })).rejects.toMatchObject({ code: "invalid" });
	expect(await sessions.get("a")).toBeNull();
	await sessions.create("a", { n: 1 });
	const hide = sessions.update("a", () => ({ _baton: {} }));
	await expect(hide).rejects.toMatchObject({ code: "invalid" });
	expect((await sessions.get("a"))?.value).toEqual({ n: 1 });
});

it("leaves no file behind when a session is deleted", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("a", {}, { aliases: ["x"] });
	await sessions.append("a", "transcript", [1, 2], { once: { key: "k" } });
	await sessions.append("a", "events", ["x".repeat(300_000)]);
	await sessions.append("a", "events", ["y"]);
	await sessions.trim("a", "transcript", 2);
	await sessions.setAlarm("a", 1);
	await sessions.delete("a");
	expect(await folder.names()).toEqual([".baton"]);
	expect(await folder.names(".baton")).toEqual(["alarms.jsonl", "deleted", "index.jsonl", "tmp"]);
	expect(await folder.names(".baton", "deleted")).toEqual([]);
	await sessions.create("a", {});
	expect(await events(sessions, "a")).toEqual([]);
	expect(await sessions.dueAlarms(10)).toEqual([]);
});

it("rejects options that it does not know", async () => {
	const folder = await dataFolder();
	const open = folder.open({ fsync: "sometimes" as never });
	await expect(open).rejects.toMatchObject({ code: "invalid" });
});
