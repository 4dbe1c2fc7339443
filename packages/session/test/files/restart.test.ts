import { copyFile, rename, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { dataFolder, events } from "./data-folder";

const HOUR = 3_600_000;

describe("trimming", () => {
	it("is there after a restart, with the numbers it had", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		await sessions.append("a", "events", [1, 2, 3, 4, 5]);
		await sessions.trim("a", "events", 4);
		expect(await folder.read("a.events.@4.jsonl")).toBe(" 4\n5\n");
		sessions = await folder.open();
		expect(await events(sessions, "a", "events")).toEqual([
			[4, 4],
			[5, 5],
		]);
		await sessions.trim("a", "events", 100);
		sessions = await folder.open();
		expect(await sessions.state("a", "events")).toMatchObject({ first: 6, last: 5 });
		expect(await sessions.append("a", "events", ["six"])).toMatchObject({ first: 6 });
		expect(await folder.names()).toEqual([".baton", "a.events.@6.jsonl", "a.meta.json"]);
	});

	it("finishes when it was interrupted before the old file was removed", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		await sessions.append("a", "events", [1, 2, 3]);
		await folder.close();
		await copyFile(folder.path("a.events.jsonl"), folder.path("old"));
		sessions = await folder.open();
		await sessions.trim("a", "events", 3);
		await folder.close();
		await rename(folder.path("old"), folder.path("a.events.jsonl"));
		sessions = await folder.open();
		expect(await events(sessions, "a", "events")).toEqual([[3, 3]]);
		expect(await folder.names()).toEqual([".baton", "a.events.@3.jsonl", "a.meta.json"]);
	});

	it("keeps a long log's offsets", async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		for (let n = 1; n <= 2_000; n += 100) {
			const batch = Array.from({ length: 100 }, (_, i) => ({ n: n + i, pad: "x".repeat(300) }));
			await sessions.append("a", "events", batch);
		}
		await sessions.trim("a", "events", 333);
		for (const restarted of [false, true]) {
			if (restarted) sessions = await folder.open();
			const { entries, first } = await sessions.read("a", "events", { after: 1_500, limit: 1 });
			expect(first).toBe(333);
			expect(entries[0]?.event).toMatchObject({ n: 1_501 });
		}
	});
});

describe("time to live across a restart", () => {
	const files = ["a.meta.json", "a.jsonl", ".baton/a.journal.jsonl"];
	async function session() {
		const folder = await dataFolder();
		const sessions = await folder.open();
		await sessions.create("a", {}, { ttlMs: HOUR, aliases: ["x"] });
		await sessions.append("a", "transcript", [1]);
		await sessions.increment("a", "n");
		await folder.close();
		return folder;
	}
	const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR);

	it("counts from the newest of the session's files", async () => {
		for (const newest of files) {
			const folder = await session();
			for (const name of files) {
				const time = hoursAgo(name === newest ? 0.5 : 2);
				await utimes(folder.path(name), time, time);
			}
			const sessions = await folder.open();
			expect(await sessions.get("a"), newest).not.toBeNull();
			await folder.close();
		}
	});

	it("reads what expired meanwhile as absent, and removes its files", async () => {
		const folder = await session();
		for (const name of files) await utimes(folder.path(name), hoursAgo(2), hoursAgo(2));
		const sessions = await folder.open();
		expect(await sessions.find("x")).toBeNull();
		expect((await sessions.list()).records).toEqual([]);
		await sessions.create("a", { n: 2 });
		expect(await events(sessions, "a")).toEqual([]);
		expect(await sessions.increment("a", "n")).toBe(1);
	});

	it("has the files swept away when nobody asks", async () => {
		const folder = await session();
		for (const name of files) await utimes(folder.path(name), hoursAgo(2), hoursAgo(2));
		const sessions = await folder.open({ sweepMs: 20 });
		await sessions.get("other");
		await expect.poll(() => folder.names()).toEqual([".baton"]);
	});

	it("is renewed by renewing the lease", async () => {
		const folder = await session();
		let sessions = await folder.open();
		const lease = await sessions.takeLease("a", { holder: "h", ttlMs: 60_000 });
		for (const name of files) await utimes(folder.path(name), hoursAgo(2), hoursAgo(2));
		await sessions.renewLease(lease!);
		sessions = await folder.open();
		expect(await sessions.get("a")).not.toBeNull();
	});
});

it("finishes a deletion that was interrupted, instead of rebuilding the session", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	await sessions.create("a", {});
	await sessions.append("a", "transcript", [1], { once: { key: "k" } });
	await folder.close();
	await rename(folder.path("a.meta.json"), folder.path(".baton", "deleted", "a"));
	sessions = await folder.open();
	expect(await sessions.get("a")).toBeNull();
	expect(await folder.names()).toEqual([".baton"]);
	expect(folder.problems).toEqual([]);
	await sessions.create("a", {});
	expect((await sessions.append("a", "transcript", [1], { once: { key: "k" } })).first).toBe(1);
});

it("removes what unfinished writes left", async () => {
	const folder = await dataFolder();
	await folder.open().then((sessions) => sessions.create("a", {}));
	await folder.close();
	await writeFile(folder.path(".baton", "tmp", "a.meta.json.1"), "{");
	await folder.open().then((sessions) => sessions.get("a"));
	await folder.close();
	expect(await folder.names(".baton", "tmp")).toEqual([]);
});

it("lets no lease survive a restart, and grows its fencing token", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	await sessions.create("a", {});
	const old = await sessions.takeLease("a", { holder: "old", ttlMs: HOUR });
	sessions = await folder.open();
	const late = sessions.append("a", "events", ["late"], { lease: old! });
	await expect(late).rejects.toMatchObject({ code: "lease_lost" });
	const fresh = await sessions.takeLease("a", { holder: "new", ttlMs: HOUR });
	expect(fresh?.token).toBeGreaterThan(old?.token ?? 0);
	expect(await events(sessions, "a", "events")).toEqual([]);
});
