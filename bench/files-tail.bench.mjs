// The last 100 events of a log of 100 MB, as the first thing that is asked of a store that has just
// been opened, and once more when the log is open. The peer reads the file and parses every line.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openFilesStore } from "@baton/session/files";
import { tempDir } from "@baton/testkit";
import { deltaEvent } from "./events.mjs";
import { compare, medianOf, ratioRow, timed } from "./measure.mjs";

const COUNT = 100;
const HEAP_REACH_MB = 20;
const WARM_UP_OPENS = 100;

export async function run({ quick }) {
	const megabytes = quick ? 10 : 100;
	const folder = await tempDir("baton-bench");
	const log = { dir: folder.path, id: "long", name: "transcript" };
	const file = join(folder.path, "bench", "long.jsonl");
	await writeLog(log, megabytes * 10);
	await warmUp(folder.path);

	const growth = [];
	const opened = await compare({
		rounds: quick ? 5 : 7,
		warmups: 1,
		ours: () => tailAfterOpening(log, growth),
		peer: () => timed(() => readAll(file)),
	});
	const store = await openFilesStore({ dir: log.dir });
	const sessions = store.collection("bench");
	const again = await compare({
		rounds: quick ? 5 : 7,
		warmups: 1,
		ours: () => medianOf(50, () => timed(() => sessions.tail(log.id, log.name, COUNT))),
		peer: () => timed(() => readAll(file)),
	});
	await store.close();
	await folder.remove();

	const work = `tail(${COUNT}) of a log of ${megabytes} MB, files`;
	const measure = "time ÷ read and parse it all";
	const reach = { reach: quick ? 1 / 50 : 1 / 500, shownReach: quick ? "1/50" : "1/500" };
	const heap = Math.max(...growth);
	return [
		ratioRow({ work: `${work}, just opened`, measure, ...reach }, opened),
		ratioRow({ work: `${work}, open`, measure, ...reach }, again),
		{
			work: `${work}, memory`,
			measure: "growth of heap and buffers",
			ours: heap,
			unit: "MB",
			reach: `< ${HEAP_REACH_MB} MB`,
			pass: heap < HEAP_REACH_MB,
		},
	];
}

/** Many logs were opened before: what is measured is this one, not code that runs for the first time. */
async function warmUp(dir) {
	const small = { dir, id: "small", name: "transcript" };
	await writeLog(small, 1);
	for (let time = 0; time < WARM_UP_OPENS; time++) await tailAfterOpening(small, []);
}

async function writeLog({ dir, id, name }, batches) {
	const store = await openFilesStore({ dir, fsync: "never" });
	const sessions = store.collection("bench");
	await sessions.create(id, {});
	for (let batch = 0; batch < batches; batch++) {
		const events = Array.from({ length: 1_000 }, (_, i) => deltaEvent(batch * 1_000 + i));
		await sessions.append(id, name, events);
	}
	await store.close();
}

/** Opening the store is not part of the time; opening the log is. */
async function tailAfterOpening({ dir, id, name }, growth) {
	const store = await openFilesStore({ dir });
	const sessions = store.collection("bench");
	await sessions.get(id);
	globalThis.gc();
	const before = memory();
	let slice;
	const time = await timed(async () => {
		slice = await sessions.tail(id, name, COUNT);
	});
	growth.push((memory() - before) / 1e6);
	if (slice.entries.length !== COUNT) throw new Error(`tail gave ${slice.entries.length} events`);
	await store.close();
	return time;
}

function memory() {
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

async function readAll(file) {
	const lines = (await readFile(file, "utf8")).split("\n");
	lines.pop();
	const events = lines.map((line) => JSON.parse(line));
	return events.slice(-COUNT);
}
