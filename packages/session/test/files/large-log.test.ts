import { appendFile, readFile, stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { dataFolder } from "./data-folder";

const MEGABYTES = process.env.BATON_FULL ? 100 : 20;

/** Bytes this process has read from files and pipes so far. */
async function bytesRead(): Promise<number> {
	return Number(/rchar: (\d+)/.exec(await readFile("/proc/self/io", "utf8"))?.[1]);
}

it.skipIf(process.platform !== "linux")(
	`reads the tail of ${MEGABYTES} MB from its end, also right after a restart`,
	{ timeout: 120_000 },
	async () => {
		const folder = await dataFolder();
		let sessions = await folder.open();
		await sessions.create("a", {});
		let last = 0;
		const event = { type: "message", content: "x".repeat(60) };
		while (last * 90 < MEGABYTES * 1_000_000) {
			({ last } = await sessions.append("a", "events", new Array(10_000).fill(event)));
		}
		expect((await stat(folder.path("a.events.jsonl"))).size).toBeGreaterThan(MEGABYTES * 900_000);
		sessions = await folder.open();
		const heap = process.memoryUsage().heapUsed;
		const before = await bytesRead();
		const { entries } = await sessions.tail("a", "events", 100);
		const middle = await sessions.read("a", "events", { after: last >> 1, limit: 10 });
		expect((await bytesRead()) - before).toBeLessThan(1_500_000);
		expect(process.memoryUsage().heapUsed - heap).toBeLessThan(20_000_000);
		expect(entries.map(({ seq }) => seq)).toEqual(
			Array.from({ length: 100 }, (_, i) => last - 99 + i),
		);
		expect(middle.entries[0]).toMatchObject({ seq: (last >> 1) + 1, event });
	},
);

it("reads lines that are longer than any buffer", async () => {
	const folder = await dataFolder();
	let sessions = await folder.open();
	await sessions.create("a", {});
	const long = (n: number) => ({ n, text: "ü€😀".repeat(150_000) });
	for (let n = 1; n <= 3; n++) await sessions.append("a", "events", [long(n), { short: n }]);
	for (const restarted of [false, true]) {
		if (restarted) sessions = await folder.open();
		const { entries } = await sessions.tail("a", "events", 4);
		expect(entries.map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
		expect(entries[2]?.event).toEqual(long(3));
		const slice = await sessions.read("a", "events", { after: 2, limit: 2 });
		expect(slice.entries.map(({ event }) => event)).toEqual([long(2), { short: 2 }]);
	}
	await folder.close();
	await appendFile(folder.path("a.events.jsonl"), `{"torn":"${"x".repeat(700_000)}`);
	sessions = await folder.open();
	expect((await sessions.tail("a", "events", 1)).last).toBe(6);
});
