// A reader that comes late, in another process than the writer, asks for a stream that is still open
// and reads what has been said so far. The peer is resumable-stream doing the same.
import { fileURLToPath } from "node:url";
import { openRedisStore } from "@baton/session/redis";
import { spawnNode, startRedis } from "@baton/testkit";
import { Redis } from "ioredis";
import { createResumableStreamContext } from "resumable-stream/ioredis";
import { EVENTS, SESSION } from "./attach-writer.mjs";
import { compare, medianOf, ratioRow } from "./measure.mjs";

const WRITER = fileURLToPath(new URL("./attach-writer.mjs", import.meta.url));

export async function run({ quick }) {
	const server = await startRedis();
	const writer = spawnNode(WRITER, { args: [server.url] });
	await writer.waitForLine("written");
	const store = await openRedisStore({ url: server.url });
	const [publisher, subscriber] = [new Redis(server.url), new Redis(server.url)];
	await Promise.all([publisher.ping(), subscriber.ping()]);
	const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
	const sessions = store.collection("bench");
	const result = await compare({
		rounds: quick ? 7 : 21,
		warmups: 6,
		ours: () => medianOf(15, () => attachToSession(sessions)),
		peer: () => medianOf(15, () => attachToStream(context)),
	});
	await store.close();
	for (const one of [publisher, subscriber]) one.disconnect();
	await writer.stop();
	await server.stop();
	const work = `attach late and read ${EVENTS.toLocaleString("en")} events, Redis`;
	return [ratioRow({ work, measure: "time ÷ resumable-stream", reach: 1 }, result)];
}

async function attachToSession(sessions) {
	const start = performance.now();
	let events = 0;
	for await (const { entries } of sessions.follow(SESSION, "events")) {
		for (const { json } of entries) if (json.length > 0) events++;
		if (events === EVENTS) break;
	}
	return performance.now() - start;
}

/** Its chunks arrive joined: they are split, as anyone must who wants the events. */
async function attachToStream(context) {
	const start = performance.now();
	const stream = await context.resumeExistingStream(SESSION);
	let events = 0;
	let rest = "";
	let time = 0;
	for await (const text of stream) {
		const lines = (rest + text).split("\n");
		rest = lines.pop();
		for (const line of lines) if (line.length > 0) events++;
		if (events < EVENTS) continue;
		time = performance.now() - start;
		break;
	}
	if (events !== EVENTS || rest !== "") throw new Error(`resumable-stream gave ${events} events`);
	return time;
}
