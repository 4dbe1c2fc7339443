// streamText with the provider, to the last byte of the UI response, against a model that does
// nothing at all: what the provider adds to the AI SDK's own work.
import { streamText } from "ai6";
import { compare, ratioRow, timed } from "../../../bench/measure.mjs";
import { createMemorySessions, giselle } from "../dist/index.js";
import { bodyOf, inReads, ndjsonLines } from "./support/token-streams.mjs";

const TOKENS = 20_000;

export async function run({ quick }) {
	const chunks = inReads(ndjsonLines(TOKENS));
	const connectCloudApi = async () => ({ reader: bodyOf(chunks).getReader(), response: null });
	const sessions = createMemorySessions();
	const model = giselle({ cloudApiUrl: "http://agent.test", sessions, deps: { connectCloudApi } });
	const result = await compare({
		rounds: quick ? 5 : 15,
		warmups: 2,
		ours: () => timed(() => readResponse(model)),
		peer: () => timed(() => readResponse(mockModel())),
	});
	const work = "streamText → UI response, 20,000 tokens";
	return [ratioRow({ work, measure: "time ÷ mock V3 model", reach: 1.15 }, result)];
}

async function readResponse(model) {
	const response = streamText({ model, prompt: "hi" }).toUIMessageStreamResponse();
	let bytes = 0;
	for await (const chunk of response.body) bytes += chunk.length;
	if (bytes < TOKENS * 10) throw new Error(`Only ${bytes} bytes came.`);
}

/** The same parts, made in advance of nothing. */
function mockModel() {
	const usage = {
		inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
		outputTokens: { total: 0, text: undefined, reasoning: undefined },
	};
	return {
		specificationVersion: "v3",
		provider: "mock",
		modelId: "mock",
		supportedUrls: {},
		async doStream() {
			let index = 0;
			const stream = new ReadableStream({
				start(controller) {
					controller.enqueue({ type: "response-metadata", id: "x", modelId: "m" });
					controller.enqueue({ type: "text-start", id: "t" });
				},
				pull(controller) {
					if (index < TOKENS) {
						const delta = `token${index++ % 100} `;
						controller.enqueue({ type: "text-delta", id: "t", delta });
						return;
					}
					controller.enqueue({ type: "text-end", id: "t" });
					const finishReason = { unified: "stop", raw: "success" };
					controller.enqueue({ type: "finish", finishReason, usage });
					controller.close();
				},
			});
			return { stream };
		},
	};
}
