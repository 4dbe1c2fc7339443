import { expect, it, vi } from "vitest";
import { SyncPolicy } from "../../src/files/sync-policy";
import { dataFolder, events } from "./data-folder";

it.each(["never", "interval", "always"] as const)(
	"keeps everything with fsync: %s",
	async (fsync) => {
		const folder = await dataFolder();
		let sessions = await folder.open({ fsync });
		await sessions.create("a", { n: 1 }, { aliases: ["x"] });
		await sessions.update("a", (value) => ({ ...value, n: 2 }), { addAliases: ["y"] });
		await sessions.append("a", "events", [1, 2, 3], { once: { key: "k" } });
		await sessions.trim("a", "events", 2);
		await sessions.create("b", {});
		await sessions.delete("b");
		sessions = await folder.open({ fsync });
		expect(await sessions.find("y")).toMatchObject({ id: "a", value: { n: 2 } });
		expect(await events(sessions, "a", "events")).toEqual([
			[2, 2],
			[3, 3],
		]);
		expect(await sessions.get("b")).toBeNull();
		expect(folder.problems).toEqual([]);
	},
);

it("loses nothing when a log was trimmed and the device then refused to sync its folder", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open({ fsync: "always" });
	await sessions.create("a", {});
	await sessions.append("a", "events", [1, 2, 3]);
	const sync = vi.spyOn(SyncPolicy.prototype, "changedFolderOf");
	sync.mockRejectedValueOnce(Object.assign(new Error("EIO"), { code: "EIO", syscall: "fsync" }));
	await expect(sessions.trim("a", "events", 3)).rejects.toMatchObject({ code: "unavailable" });
	sync.mockRestore();
	await sessions.append("a", "events", [4]);
	sessions = await folder.open({ fsync: "always" });
	expect((await events(sessions, "a", "events")).map(([seq]) => seq)).toEqual([1, 2, 3, 4]);
});
