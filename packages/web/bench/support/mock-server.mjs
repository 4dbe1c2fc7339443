// A bare `streamText` route with a mock model, in a process of its own: prints its port.
import { createServer } from "node:http";
import { convertToModelMessages, simulateReadableStream, streamText } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const TOKENS = ["1 ", "2 ", "3 ", "4 ", "5"];

const server = createServer(async (incoming, outgoing) => {
	let body = "";
	for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
	const { messages } = JSON.parse(body);
	const model = new MockLanguageModelV3({ doStream: async () => ({ stream: tokens() }) });
	const result = streamText({ model, messages: await convertToModelMessages(messages) });
	result.pipeUIMessageStreamToResponse(outgoing);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

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
