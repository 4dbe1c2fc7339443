// The floor of a turn: the same agent, its events as NDJSON straight to the response, 64 at a time.
import { createServer } from "node:http";
import { createDemoAgent } from "@baton/agent/demo";

const COALESCED = 64;
const agent = createDemoAgent();

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	const turn = {
		runId: "bench",
		input: { content: JSON.parse(body).message },
		signal: new AbortController().signal,
	};
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	let text = "";
	let waiting = 0;
	for await (const event of agent.run(turn)) {
		text += `${JSON.stringify(event)}\n`;
		if (++waiting < COALESCED) continue;
		if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve));
		text = "";
		waiting = 0;
	}
	response.end(`${text}${JSON.stringify({ type: "result", status: "success" })}\n`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
