// The other process of redis-wake.bench.mjs: waits on both sides, notes when each event arrives, and
// hands the times over when asked.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openRedisStore } from "@baton/session/redis";
import { Redis } from "ioredis";

export const SESSION = "wake";
export const LOG = "events";
export const STREAM = "wake";

/** Milliseconds on the clock that all processes of a machine share. */
export function now() {
	return Number(process.hrtime.bigint()) / 1e6;
}

async function read(url) {
	const arrived = { ours: [], peer: [] };
	const store = await openRedisStore({ url });
	const client = new Redis(url);
	void followSession(store, arrived.ours);
	void readStream(client, arrived.peer);
	process.on("message", async ({ side, wakes }) => {
		while (arrived[side].length < wakes) await sleep(5);
		process.send(arrived[side].splice(0));
	});
	process.on("disconnect", () => process.exit());
	process.send("ready");
}

async function followSession(store, arrived) {
	for await (const { entries } of store.collection("bench").follow(SESSION, LOG)) {
		for (const { event } of entries) if (event.content) arrived.push(now());
	}
}

async function readStream(client, arrived) {
	for (let cursor = "0"; ; ) {
		const reply = await client.xread("BLOCK", 0, "STREAMS", STREAM, cursor);
		for (const [id, [, json]] of reply[0][1]) {
			cursor = id;
			if (JSON.parse(json).content) arrived.push(now());
		}
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await read(process.argv[2]);
