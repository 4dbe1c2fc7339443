// The floor of a turn: its tokens as NDJSON straight to the response, 64 at a time. They come out of a
// plain loop, or out of the demo agent.
import { createServer } from "node:http";
import { createDemoAgent } from "@baton/agent/demo";

const COALESCED = 64;
const agent = createDemoAgent();
const [source] = process.argv.slice(2);

function* loop(message) {
	const words = Number(/\d+/.exec(message)[0]);
	for (let i = 1; i <= words; i++) {
		const content = i < words ? `w${i} ` : `w${i}`;
		yield { type: "message", role: "assistant", content, delta: true };
	}
}

function eventsOf(content) {
	if (source === "loop") return loop(content);
	return agent.run({ runId: "bench", input: { content }, signal: new AbortController().signal });
}

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	let text = "";
	let waiting = 0;
	const take = (event) => {
		text += `${JSON.stringify(event)}\n`;
		if (++waiting < COALESCED) return undefined;
		const isFull = !response.write(text);
		text = "";
		waiting = 0;
		return isFull ? new Promise((resolve) => response.once("drain", resolve)) : undefined;
	};
	const events = eventsOf(JSON.parse(body).message);
	if (source === "loop") {
		for (const event of events) {
			const drained = take(event);
			if (drained) await drained;
		}
	} else {
		for await (const event of events) {
			const drained = take(event);
			if (drained) await drained;
		}
	}
	response.end(`${text}${JSON.stringify({ type: "result", status: "success" })}\n`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
