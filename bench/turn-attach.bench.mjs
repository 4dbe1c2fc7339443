// An attach on another process than the one that runs the turn, over HTTP: when the first event is
// there. The peer is resumable-stream behind an HTTP server of its own.
import { fileURLToPath } from "node:url";
import { spawnNode, startRedis } from "@baton/testkit";
import { startBaton } from "./baton-server.mjs";
import { firstEvent } from "./first-event.mjs";
import { compare, median, ratioRow } from "./measure.mjs";

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

export async function run({ quick }) {
	const redis = await startRedis();
	const writer = spawnNode(path("./attach-writer.mjs"), { args: [redis.url] });
	await writer.waitForLine("written");
	const resume = spawnNode(path("./resume-server.mjs"), { args: [redis.url] });
	const port = await resume.waitForLine(() => true);
	const [runs, other] = [
		await startBaton({ REDIS_URL: redis.url }),
		await startBaton({ REDIS_URL: redis.url }),
	];
	// A turn that has said 1,000 words and goes on.
	const message = "/stream 1000000 words every 40ms";
	const live = await fetch(`${runs.url}/agent-api/run`, {
		method: "POST",
		headers: runs.headers,
		body: JSON.stringify({ type: "agent.run", message }),
	});
	const body = JSON.stringify({
		type: "agent.run",
		session_id: await sessionIn(live),
		attach: true,
	});
	const attach = { url: `${other.url}/agent-api/run`, headers: other.headers, body };
	const repeat = async (measure) => {
		const times = [];
		for (let i = 0; i < 9; i++) times.push(await measure());
		return median(times);
	};
	const result = await compare({
		rounds: quick ? 7 : 21,
		warmups: 250,
		ours: () => repeat(() => firstEvent(attach, '"seq":')),
		peer: () => repeat(() => firstEvent({ url: `http://127.0.0.1:${port}/`, headers: {} }, "{")),
	});
	for (const one of [runs, other, writer, resume, redis]) await one.stop();
	const work = "attach on another process, first event over HTTP, Redis";
	return [ratioRow({ work, measure: "time ÷ resumable-stream", reach: 1 }, result)];
}

/** The session's own id, as every turn tells it. */
async function sessionIn({ body }) {
	let text = "";
	for await (const piece of body.pipeThrough(new TextDecoderStream())) {
		text += piece;
		const init = /^\{.*"type":"init".*\}$/m.exec(text);
		if (init) return JSON.parse(init[0]).session_id;
	}
	throw new Error("The turn did not begin.");
}
