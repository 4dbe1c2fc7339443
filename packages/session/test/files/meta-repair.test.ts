import { readFile, rm, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { dataFolder, events } from "./data-folder";

it("rebuilds a lost meta file from the log, with what the index knew", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	await sessions.create("a", { big: 1 }, { aliases: ["x"], group: "ada", createdAt: 7 });
	await sessions.append("a", "transcript", [1, 2]);
	await folder.close();
	await rm(folder.path("a.meta.json"));
	sessions = await folder.open();
	const record = await sessions.find("x");
	expect(record).toMatchObject({ id: "a", group: "ada", createdAt: 7, version: 1 });
	expect(record?.value).toEqual({ key: "a", createdAt: 7, updatedAt: record?.updatedAt });
	expect(await events(sessions, "a")).toHaveLength(2);
	expect(folder.problems).toMatchObject([{ kind: "lost-meta", path: folder.path("a.meta.json") }]);
	expect((await sessions.list({ group: "ada" })).records).toEqual([record]);
});

it("rebuilds a lost meta file from the log alone", async () => {
	const folder = await dataFolder();
	const before = Date.now() - 1_000;
	await folder.write("a.jsonl", '{"role":"user"}\n');
	let sessions = await folder.open();
	const record = await sessions.get("a");
	expect(record?.createdAt).toBeGreaterThan(before);
	expect(record?.value).toMatchObject({ key: "a", createdAt: record?.createdAt });
	sessions = await folder.open();
	expect(await sessions.get("a")).toEqual(record);
	expect(folder.problems).toHaveLength(1);
});

it.each(["", "{", "[1]", "\0\0\0\0", '"text"'])(
	"moves a corrupt meta file aside and rebuilds it: %j",
	async (text) => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", { n: 1 }, { aliases: ["x"], group: "ada", createdAt: 7 });
		await sessions.append("a", "transcript", [1]);
		await folder.close();
		await writeFile(folder.path("a.meta.json"), text);
		sessions = await folder.open();
		expect(await sessions.get("a")).toMatchObject({ group: "ada", createdAt: 7, aliases: ["x"] });
		expect(await events(sessions, "a")).toEqual([[1, 1]]);
		expect(folder.problems).toMatchObject([{ kind: "corrupt-meta" }]);
		const aside = (await folder.names(".baton")).filter((name) => name.startsWith("a.meta."));
		expect(await readFile(folder.path(".baton", aside[0] ?? ""), "utf8")).toBe(text);
		await sessions.update("a", (value) => ({ ...value, n: 2 }));
		expect(JSON.parse(await folder.read("a.meta.json"))).toMatchObject({ n: 2, key: "a" });
	},
);

it("finds a corrupt meta file also without the index", async () => {
	const folder = await dataFolder();
	await folder.write("a.meta.json", "{");
	await folder.write("b.meta.json", '{"ok":true}');
	const sessions = await folder.open();
	expect((await sessions.list()).records.map(({ id }) => id).sort()).toEqual(["a", "b"]);
	expect(folder.problems).toMatchObject([{ kind: "corrupt-meta" }]);
});

it("mends a meta file that is removed while the store is open", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("with-log", {}, { group: "ada" });
	await sessions.append("with-log", "transcript", [1]);
	await sessions.create("without", {}, { aliases: ["x"] });
	await rm(folder.path("with-log.meta.json"));
	await rm(folder.path("without.meta.json"));
	expect(await sessions.get("with-log")).toMatchObject({ group: "ada" });
	expect(await sessions.get("without")).toBeNull();
	expect(await sessions.find("x")).toBeNull();
	await sessions.create("without", {});
});
