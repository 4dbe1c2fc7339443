// The floor of a turn: the same tokens as NDJSON, written straight to the response, 64 at a time.
import { createServer } from "node:http";

const COALESCED = 64;

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	const words = Number(/\d+/.exec(JSON.parse(body).message)[0]);
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	for (let n = 1; n <= words; n += COALESCED) {
		let text = "";
		for (let i = n; i < Math.min(n + COALESCED, words + 1); i++) {
			const event = { type: "message", role: "assistant", content: `w${i} `, delta: true };
			text += `${JSON.stringify(event)}\n`;
		}
		if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve));
	}
	response.end(`${JSON.stringify({ type: "result", status: "success" })}\n`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
