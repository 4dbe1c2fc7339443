import { once } from "node:events";
import { createServer, request } from "node:http";
import { convertToModelMessages, simulateReadableStream, streamText } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const TOKENS = ["1 ", "2 ", "3 ", "4 ", "5"];

/** A server in front of Baton: everything goes through, and chats too unless `answers` is "mock". */
export async function startFront(batonUrl) {
	const front = { answers: "baton", url: "", close };
	const server = createServer((incoming, outgoing) => {
		const isChat = incoming.method === "POST" && incoming.url === "/api/chat";
		if (isChat && front.answers === "mock") answer(incoming, outgoing);
		else forward(incoming, outgoing, new URL(batonUrl));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	front.url = `http://127.0.0.1:${server.address().port}`;
	return front;

	async function close() {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

function forward(incoming, outgoing, { hostname, port }) {
	const { method, url: path, headers } = incoming;
	const onward = request({ hostname, port, method, path, headers }, (response) => {
		outgoing.writeHead(response.statusCode, response.headers);
		response.pipe(outgoing);
	});
	onward.on("error", () => outgoing.destroy());
	incoming.pipe(onward);
}

/** The whole of a bare route. */
async function answer(incoming, outgoing) {
	let body = "";
	for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
	const { messages } = JSON.parse(body);
	const model = new MockLanguageModelV3({ doStream: async () => ({ stream: tokens() }) });
	const result = streamText({ model, messages: await convertToModelMessages(messages) });
	result.pipeUIMessageStreamToResponse(outgoing);
}

function tokens() {
	const none = {
		total: undefined,
		noCache: undefined,
		cacheRead: undefined,
		cacheWrite: undefined,
	};
	const usage = { inputTokens: none, outputTokens: { total: 5, text: 5, reasoning: undefined } };
	return simulateReadableStream({
		initialDelayInMs: null,
		chunkDelayInMs: null,
		chunks: [
			{ type: "text-start", id: "t" },
			...TOKENS.map((delta) => ({ type: "text-delta", id: "t", delta })),
			{ type: "text-end", id: "t" },
			{ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
		],
	});
}
