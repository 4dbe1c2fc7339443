// Appends a stream of events batch by batch, each batch acknowledged before the next. The peer is what
// the store is made of: the same events, as JSON, in a pipeline of XADDs.
import { openRedisStore } from "@baton/session/redis";
import { startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { deltaBatches } from "./events.mjs";
import { compare, ratioRow, timed } from "./measure.mjs";

export async function run({ quick }) {
	const events = quick ? 4_000 : 20_000;
	const server = await startRedis();
	const store = await openRedisStore({ url: server.url });
	const client = new Redis(server.url);
	const sessions = store.collection("bench");
	const rows = [];
	for (const size of [10, 100]) {
		const batches = deltaBatches(events, size);
		const result = await compare({
			rounds: quick ? 5 : 11,
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
						const pipeline = client.pipeline();
						for (const event of batch) pipeline.xadd("raw", "*", "e", JSON.stringify(event));
						await pipeline.exec();
					}
				});
				await client.del("raw");
				return time;
			},
		});
		const work = `append ${events.toLocaleString("en")} events of 100 B in batches of ${size}, Redis`;
		rows.push(ratioRow({ work, measure: "time ÷ pipelined XADD", reach: 1.2 }, result));
	}
	await store.close();
	client.disconnect();
	await server.stop();
	return rows;
}
