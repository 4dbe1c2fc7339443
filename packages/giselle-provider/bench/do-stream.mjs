// A turn of 20,000 tokens through `doStream`, its session kept in Redis, against the same tokens
// through @ai-sdk/openai-compatible, which keeps nothing.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startRedis } from "@baton/testkit";
import { compare, ratioRow } from "../../../bench/measure.mjs";
import { closeSessions, giselle } from "../dist/index.js";
import { bodyOf, inReads, ndjsonLines, onePerRead, sseEvents } from "./support/token-streams.mjs";

const TOKENS = 20_000;
const prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

export async function run({ quick }) {
	const redis = await startRedis();
	process.env.REDIS_URL = redis.url;
	const rows = [];
	for (const [reads, cut] of [
		["one event per read", onePerRead],
		["16 KiB reads", inReads],
	]) {
		const [ours, peer] = [cut(ndjsonLines(TOKENS)), cut(sseEvents(TOKENS))];
		const result = await compare({
			rounds: quick ? 7 : 25,
			warmups: 3,
			ours: () => perToken(giselleModel(ours)),
			peer: () => perToken(openAiModel(peer)),
		});
		const work = `doStream, 20,000 tokens, ${reads}`;
		const measure = "time per token ÷ @ai-sdk/openai-compatible";
		rows.push(ratioRow({ work, measure, reach: 0.3 }, result));
	}
	await closeSessions();
	await redis.stop();
	return rows;
}

function giselleModel(chunks) {
	const connectCloudApi = async () => ({ reader: bodyOf(chunks).getReader(), response: null });
	return giselle({ cloudApiUrl: "http://agent.test", deps: { connectCloudApi } });
}

function openAiModel(chunks) {
	const headers = { "content-type": "text/event-stream" };
	const fetch = async () => new Response(bodyOf(chunks), { headers });
	const provider = createOpenAICompatible({ name: "peer", baseURL: "http://peer.test", fetch });
	return provider("m");
}

/** Milliseconds per token of one turn, read to its end. */
async function perToken(model) {
	const start = performance.now();
	const { stream } = await model.doStream({ prompt });
	const reader = stream.getReader();
	let tokens = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		if (value.type === "text-delta") tokens++;
	}
	if (tokens !== TOKENS) throw new Error(`${tokens} tokens came, not ${TOKENS}.`);
	return (performance.now() - start) / TOKENS;
}
