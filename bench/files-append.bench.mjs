// Appends a stream of events batch by batch, each batch written before the next. The peer is what one
// would write by hand: an appendFile per batch. The store numbers, checks and syncs besides.
import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openFilesStore } from "@baton/session/files";
import { tempDir } from "@baton/testkit";
import { deltaBatches } from "./events.mjs";
import { compare, ratioRow, timed } from "./measure.mjs";

export async function run({ quick }) {
	const events = quick ? 4_000 : 20_000;
	const folder = await tempDir("baton-bench");
	const store = await openFilesStore({ dir: join(folder.path, "store") });
	const sessions = store.collection("bench");
	const file = join(folder.path, "plain.jsonl");
	const rows = [];
	for (const size of [10, 100]) {
		const batches = deltaBatches(events, size);
		const result = await compare({
			rounds: quick ? 5 : 15,
			async ours(round) {
				const id = `append-${size}-${round + 10}`;
				await sessions.create(id, {});
				const time = await timed(async () => {
					for (const batch of batches) await sessions.append(id, "events", batch);
				});
				await sessions.delete(id);
				return time;
			},
			async peer() {
				const time = await timed(async () => {
					for (const batch of batches) {
						await appendFile(file, `${batch.map((event) => JSON.stringify(event)).join("\n")}\n`);
					}
				});
				await rm(file);
				return time;
			},
		});
		const work = `append ${events.toLocaleString("en")} events of 100 B in batches of ${size}, files`;
		rows.push(ratioRow({ work, measure: "time ÷ appendFile per batch", reach: 1 }, result));
	}
	await store.close();
	await folder.remove();
	return rows;
}
