// The least that a durable turn is: the demo agent's tokens as numbered lines, each batch stored before
// it is shown, and nothing else. No session, owner, lease, follower or recovery.
// `turn-server.mjs file <folder>` or `turn-server.mjs redis <url>`
import { randomUUID } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createDemoAgent } from "@baton/agent/demo";
import { Redis } from "ioredis";

/** As many tokens as the agent may be ahead of the store. */
const AHEAD = 512;
const [kind, where] = process.argv.slice(2);
const agent = createDemoAgent();
const redis = kind === "redis" ? new Redis(where) : null;

function openLog(runId) {
	if (redis) return { append: (text) => redis.xadd(runId, "*", "e", text), close: () => {} };
	const file = openSync(join(where, `${runId}.jsonl`), "a");
	// What comes until the kernel has it, and until the loop has turned, is the next batch.
	const append = (text) => {
		writeSync(file, text);
		return new Promise(setImmediate);
	};
	return { append, close: () => closeSync(file) };
}

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	const runId = randomUUID();
	const log = openLog(runId);
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	let [text, waiting, seq] = ["", 0, 0];
	let storing = null;
	const flush = async () => {
		while (text !== "") {
			const batch = text;
			[text, waiting] = ["", 0];
			await log.append(batch);
			if (!response.write(batch)) await new Promise((resolve) => response.once("drain", resolve));
		}
		storing = null;
	};
	const take = (event) => {
		text += `{"seq":${++seq},${JSON.stringify(event).slice(1, -1)},"run_id":"${runId}"}\n`;
		waiting++;
		storing ??= flush();
	};
	const input = { content: JSON.parse(body).message };
	const signal = new AbortController().signal;
	for await (const event of agent.run({ runId, input, signal })) {
		take(event);
		if (waiting >= AHEAD) await storing;
	}
	take({ type: "result", status: "success" });
	await storing;
	log.close();
	response.end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
