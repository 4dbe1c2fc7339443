import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { dataFolder } from "./data-folder";

describe.skipIf(process.platform !== "linux")("open files", () => {
	const countOpen = async () => (await readdir("/proc/self/fd")).length;

	it("are bounded, however many sessions are written at once, and closed at the end", async () => {
		const before = await countOpen();
		const folder = await dataFolder();
		const sessions = await folder.open({ fsync: "never" });
		const ids = Array.from({ length: 600 }, (_, i) => `s${i}`);
		await Promise.all(ids.map((id) => sessions.create(id, {})));
		let most = 0;
		for (let round = 1; round <= 2; round++) {
			await Promise.all(
				ids.map(async (id, i) => {
					await sessions.append(id, "transcript", [round], { once: { key: `${round}` } });
					if (i % 50 === 0) most = Math.max(most, await countOpen());
				}),
			);
		}
		expect(most - before).toBeGreaterThan(200);
		expect(most - before).toBeLessThan(300);
		for (const id of ids) {
			expect((await sessions.tail(id, "transcript", 9)).entries.map((e) => e.event)).toEqual([
				1, 2,
			]);
		}
		await folder.close();
		expect(await countOpen()).toBeLessThanOrEqual(before + 2);
	});
});
