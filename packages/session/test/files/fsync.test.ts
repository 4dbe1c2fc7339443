import { expect, it } from "vitest";
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
