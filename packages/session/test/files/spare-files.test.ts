import { rm, stat, writeFile } from "node:fs/promises";
import { waitFor } from "@baton/testkit";
import { expect, it } from "vitest";
import { dataFolder, events } from "./data-folder";

/** A folder with its spare files made, and which files they are. */
async function withSpares() {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("first", {});
	const spares = () => folder.names(".baton", "tmp");
	await waitFor(async () => (await spares()).length === 8);
	const inodeOf = async (...names: string[]) => (await stat(folder.path(...names))).ino;
	const made = new Set<number>();
	for (const name of await spares()) made.add(await inodeOf(".baton", "tmp", name));
	return { folder, sessions, spares, made, inodeOf };
}

it("makes files ahead, and a new session is made of them", async () => {
	const { folder, sessions, made, inodeOf } = await withSpares();
	await sessions.create("a", { n: 1 });
	await sessions.append("a", "events", [1], { once: { key: "k" } });
	await sessions.append("a", "transcript", [2]);
	for (const name of ["a.meta.json", "a.events.jsonl", "a.jsonl"]) {
		expect(made, name).toContain(await inodeOf(name));
	}
	expect(made).toContain(await inodeOf(".baton", "a.journal.jsonl"));
	const again = await folder.open();
	expect((await again.get("a"))?.value).toEqual({ n: 1 });
	expect(await events(again, "a", "events")).toEqual([[1, 1]]);
	expect(await events(again, "a")).toEqual([[1, 2]]);
	expect(folder.problems).toEqual([]);
});

it("makes new ones when they are used, and goes on where there are none left", async () => {
	const { sessions, spares } = await withSpares();
	const ids = Array.from({ length: 30 }, (_, i) => `s${i}`);
	await Promise.all(ids.map((id) => sessions.create(id, { id })));
	for (const id of ids) expect((await sessions.get(id))?.value).toEqual({ id });
	await waitFor(async () => (await spares()).length === 8);
});

it("leaves none behind, whether it is closed or killed", async () => {
	const { folder, spares } = await withSpares();
	await folder.close();
	expect(await spares()).toEqual([]);
	await writeFile(folder.path(".baton", "tmp", "7"), "left by a kill");
	const sessions = await folder.open();
	await sessions.create("a", {});
	await waitFor(async () => (await spares()).length === 8);
	for (const name of await spares()) {
		expect((await stat(folder.path(".baton", "tmp", name))).size).toBe(0);
	}
});

it.each([
	["empties the folder of temp files", false],
	["puts other files in their place", true],
])("loses nothing when someone %s", async (_, isBack) => {
	const { folder, sessions, spares } = await withSpares();
	await sessions.append("first", "events", [1]);
	for (const name of await spares()) {
		await rm(folder.path(".baton", "tmp", name));
		if (isBack) await writeFile(folder.path(".baton", "tmp", name), "");
	}
	await sessions.update("first", () => ({ n: 2 }));
	await sessions.append("first", "transcript", [2]);
	await sessions.create("a", {});
	const again = await folder.open();
	expect(folder.problems).toEqual([]);
	expect((await again.get("first"))?.value).toEqual({ n: 2 });
	expect(await events(again, "first")).toEqual([[1, 2]]);
	expect(await events(again, "first", "events")).toEqual([[1, 1]]);
	expect(await again.get("a")).not.toBeNull();
});
