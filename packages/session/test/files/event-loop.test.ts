import { expect, it, onTestFinished } from "vitest";
import { dataFolder } from "./data-folder";

it("lets timers run while someone appends without a pause", async () => {
	const folder = await dataFolder();
	const sessions = await folder.open();
	await sessions.create("a", {});
	let ticks = 0;
	const timer = setInterval(() => ticks++, 1);
	onTestFinished(() => clearInterval(timer));
	const start = performance.now();
	let count = 0;
	while (performance.now() - start < 500) {
		await sessions.append("a", "events", [++count]);
	}
	expect(ticks).toBeGreaterThan(5);
	expect((await sessions.state("a", "events")).last).toBe(count);
});
