// The other process of redis-attach.bench.mjs: writes the same events to both sides, and stays.
import { fileURLToPath } from "node:url";
import { openRedisStore } from "@baton/session/redis";
import { Redis } from "ioredis";
import { createResumableStreamContext } from "resumable-stream/ioredis";
import { deltaEvent } from "./events.mjs";

export const EVENTS = 1_000;
export const SESSION = "attach";

async function write(url) {
	const events = Array.from({ length: EVENTS }, (_, i) => deltaEvent(i + 1));
	const store = await openRedisStore({ url });
	const sessions = store.collection("bench");
	await sessions.create(SESSION, {});
	for (const event of events) await sessions.append(SESSION, "events", [event]);

	const context = createResumableStreamContext({
		waitUntil: null,
		publisher: new Redis(url),
		subscriber: new Redis(url),
	});
	const stream = await context.createNewResumableStream(SESSION, () => openStream(events));
	const reader = stream.getReader();
	for (let i = 0; i < EVENTS; i++) await reader.read();
	console.log("written");
}

/** Every event as one chunk, and then it stays open, as a turn that still runs. */
function openStream(events) {
	return new ReadableStream({
		start(controller) {
			for (const event of events) controller.enqueue(`${JSON.stringify(event)}\n`);
		},
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write(process.argv[2]);
