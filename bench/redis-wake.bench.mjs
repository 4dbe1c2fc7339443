// How soon a reader in another process has an event that was just written. The peer is the fastest
// way that Redis itself has: XADD here, XREAD BLOCK there.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openRedisStore } from "@baton/session/redis";
import { startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { deltaEvent } from "./events.mjs";
import { compare, median, ratioRow } from "./measure.mjs";
import { LOG, now, SESSION, STREAM } from "./wake-reader.mjs";

/** Between two events, so that the reader waits again before the next one is written. */
const GAP_MS = 1;

export async function run({ quick }) {
	const server = await startRedis();
	const store = await openRedisStore({ url: server.url });
	const client = new Redis(server.url);
	const sessions = store.collection("bench");
	await sessions.create(SESSION, {});
	const reader = fork(new URL("./wake-reader.mjs", import.meta.url), [server.url]);
	await once(reader, "message");
	const wakes = quick ? 50 : 150;
	const writes = {
		ours: (event) => sessions.append(SESSION, LOG, [event]),
		peer: (event) => client.xadd(STREAM, "*", "e", JSON.stringify(event)),
	};
	const result = await compare({
		rounds: quick ? 7 : 21,
		warmups: 4,
		ours: () => medianLatency(reader, "ours", writes.ours, wakes),
		peer: () => medianLatency(reader, "peer", writes.peer, wakes),
	});
	reader.disconnect();
	await once(reader, "exit");
	await store.close();
	client.disconnect();
	await server.stop();
	const work = "wake a follower in another process, Redis";
	return [ratioRow({ work, measure: "p50 ÷ XADD → XREAD BLOCK", reach: 1.8 }, result)];
}

async function medianLatency(reader, side, write, wakes) {
	const sent = [];
	for (let n = 1; n <= wakes; n++) {
		await sleep(GAP_MS);
		const event = deltaEvent(n);
		sent.push(now());
		await write(event);
	}
	reader.send({ side, wakes });
	const [arrived] = await once(reader, "message");
	return median(sent.map((time, i) => arrived[i] - time));
}
