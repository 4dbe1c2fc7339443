import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isBatonError } from "../../src";
import { openFilesStore } from "../../src/files";
import { dataFolder, events } from "./data-folder";
import { canMount, mountTmpfs, remount } from "./tmpfs";

describe.skipIf(!canMount())("a full disk", () => {
	/** A store on 512 kB, of which a file takes half until `free` removes it. */
	async function smallDisk() {
		const mount = await mountTmpfs("size=512k");
		const filler = join(mount, "filler");
		await writeFile(filler, Buffer.alloc(256 * 1024));
		const folder = await dataFolder(join(mount, "data"));
		return { folder, free: () => rm(filler) };
	}

	it("refuses what does not fit, loses nothing, and goes on when there is space", async () => {
		const { folder, free } = await smallDisk();
		let sessions = await folder.open();
		await sessions.create("a", { n: 1 });
		const stored: number[] = [];
		const batch = (n: number) =>
			Array.from({ length: 5 }, (_, i) => ({ n: n + i, pad: "x".repeat(777) }));
		for (let n = 1; ; n += 5) {
			try {
				const { first, last } = await sessions.append("a", "events", batch(n));
				for (let seq = first; seq <= last; seq++) stored.push(seq);
			} catch (error) {
				expect(isBatonError(error, "store_full") && error.message).toMatch(/free some space/);
				break;
			}
		}
		expect(stored.length).toBeGreaterThan(100);
		const intact = async () =>
			expect((await events(sessions, "a", "events")).map(([seq]) => seq)).toEqual(stored);
		await intact();

		const full = (operation: Promise<unknown>) =>
			expect(operation).rejects.toMatchObject({ code: "store_full" });
		await full(sessions.append("a", "events", batch(0)));
		await full(sessions.update("a", () => ({ pad: "x".repeat(100_000) })));
		await full(sessions.create("b", { pad: "x".repeat(100_000) }, { aliases: ["x"] }));
		const once = { once: { key: "k" }, swap: { register: "run", from: null, to: "r1" } };
		await full(sessions.append("a", "events", batch(0), once));
		await intact();
		expect((await sessions.get("a"))?.value).toEqual({ n: 1 });
		expect(await sessions.get("b")).toBeNull();
		expect((await sessions.state("a", "events")).registers).toEqual({});

		await free();
		const next = stored.length + 1;
		expect(await sessions.append("a", "events", batch(next), once)).toEqual({
			first: next,
			last: next + 4,
			repeated: false,
		});
		await sessions.create("b", {}, { aliases: ["x"] });
		sessions = await folder.open();
		stored.push(...[0, 1, 2, 3, 4].map((i) => next + i));
		await intact();
		expect((await sessions.state("a", "events")).registers).toEqual({ run: "r1" });
		expect(folder.problems).toEqual([]);
	});

	it("does not count a refused append when others take its number later", async () => {
		const { folder, free } = await smallDisk();
		let sessions = await folder.open();
		await sessions.create("a", {});
		// Room for the journal's line is there already, so that only the events do not fit.
		await sessions.append("a", "events", [1], { once: { key: "first" } });
		const large = ["x".repeat(400_000)];
		const refused = sessions.append("a", "events", large, { once: { key: "k" } });
		await expect(refused).rejects.toMatchObject({ code: "store_full" });
		await sessions.append("a", "events", [2]);
		await free();
		sessions = await folder.open();
		expect(await sessions.append("a", "events", large, { once: { key: "k" } })).toEqual({
			first: 3,
			last: 3,
			repeated: false,
		});
	});

	it("is a clear error at the start too", async () => {
		const mount = await mountTmpfs("size=64k,nr_inodes=2");
		await writeFile(join(mount, "filler"), Buffer.alloc(64 * 1024)).catch(() => {});
		const open = openFilesStore({ dir: mount });
		await expect(open).rejects.toMatchObject({ code: "store_full" });
	});
});

describe.skipIf(!canMount())("a read-only folder", () => {
	it("is refused at the start with what to do", async () => {
		const mount = await mountTmpfs();
		const folder = await dataFolder(join(mount, "data"));
		const sessions = await folder.open();
		await sessions.create("a", {});
		await sessions.append("a", "transcript", [1]);
		await folder.close();
		remount(mount, "ro");
		await expect(folder.open()).rejects.toMatchObject({
			code: "read_only",
			message: expect.stringMatching(/EROFS.*Make the data folder writable/),
		});
		const missing = openFilesStore({ dir: join(mount, "new") });
		await expect(missing).rejects.toMatchObject({ code: "read_only" });
		remount(mount, "rw");
		expect(await events(await folder.open(), "a")).toEqual([[1, 1]]);
	});
});

it("says what is wrong when the folder is a file", async () => {
	const folder = await dataFolder();
	await folder.write("file", "");
	const open = openFilesStore({ dir: folder.path("file") });
	await expect(open).rejects.toMatchObject({ code: "unavailable" });
});
