// How soon a reader on another connection has an event that was just written. The peer is the fastest
// way Redis itself has: XADD on one connection, XREAD BLOCK on another. Both in one process.
import { setTimeout as sleep } from "node:timers/promises";
import { openRedisStore } from "@baton/session/redis";
import { startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { deltaEvent } from "./events.mjs";
import { compare, median, ratioRow } from "./measure.mjs";

/** Between two events, so that the reader waits again before the next one is written. */
const GAP_MS = 1;

export async function run({ quick }) {
	const wakes = quick ? 50 : 150;
	const server = await startRedis();
	const ours = await startOurs(server.url);
	const peer = await startPeer(server.url);
	const result = await compare({
		rounds: quick ? 7 : 21,
		warmups: 4,
		ours: () => medianLatency(ours, wakes),
		peer: () => medianLatency(peer, wakes),
	});
	await ours.stop();
	await peer.stop();
	await server.stop();
	const work = "wake a follower, Redis";
	return [ratioRow({ work, measure: "p50 ÷ XADD → XREAD BLOCK", reach: 1.8 }, result)];
}

async function medianLatency({ write, arrival }, wakes) {
	const latencies = [];
	for (let n = 1; n <= wakes; n++) {
		await sleep(GAP_MS);
		const event = deltaEvent(n);
		const arrived = arrival();
		const start = performance.now();
		const written = write(event);
		latencies.push((await arrived) - start);
		await written;
	}
	return median(latencies);
}

/** A place where a reader leaves the time of each arrival. */
function arrivals() {
	let resolve = () => {};
	return {
		next: () => new Promise((wake) => (resolve = wake)),
		mark: () => resolve(performance.now()),
	};
}

async function startOurs(url) {
	const [writer, reader] = [await openRedisStore({ url }), await openRedisStore({ url })];
	await writer.collection("bench").create("wake", {});
	const { next, mark } = arrivals();
	const abort = new AbortController();
	const following = (async () => {
		const batches = reader.collection("bench").follow("wake", "events", { signal: abort.signal });
		for await (const { entries } of batches) if (entries[0].event.content) mark();
	})();
	return {
		write: (event) => writer.collection("bench").append("wake", "events", [event]),
		arrival: next,
		async stop() {
			abort.abort();
			await following;
			await Promise.all([writer.close(), reader.close()]);
		},
	};
}

async function startPeer(url) {
	const [writer, reader] = [new Redis(url), new Redis(url)];
	await Promise.all([writer.ping(), reader.ping()]);
	const { next, mark } = arrivals();
	let stopped = false;
	const reading = (async () => {
		let cursor = "0";
		while (!stopped) {
			const reply = await reader.xread("BLOCK", 500, "STREAMS", "wake", cursor).catch(() => null);
			for (const [id, [, json]] of reply?.[0][1] ?? []) {
				cursor = id;
				if (JSON.parse(json).content) mark();
			}
		}
	})();
	return {
		write: (event) => writer.xadd("wake", "*", "e", JSON.stringify(event)),
		arrival: next,
		async stop() {
			stopped = true;
			await reading;
			for (const one of [writer, reader]) one.disconnect();
		},
	};
}
