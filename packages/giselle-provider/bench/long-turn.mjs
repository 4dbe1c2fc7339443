// One turn of 1,000,000 tokens: what is kept in memory does not grow with it.
import { createMemorySessions, giselle } from "../dist/index.js";
import { ndjsonLines, READ_BYTES } from "./support/token-streams.mjs";

const TOKENS = 1_000_000;
const REACH_MB = 2;

export async function run() {
	const connectCloudApi = async () => ({ reader: makeBody().getReader(), response: null });
	const sessions = createMemorySessions();
	const model = giselle({ cloudApiUrl: "http://agent.test", sessions, deps: { connectCloudApi } });
	const prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
	const { stream } = await model.doStream({ prompt });
	let tokens = 0;
	let early = 0;
	let late = 0;
	for await (const part of stream) {
		if (part.type !== "text-delta") continue;
		tokens++;
		if (tokens === TOKENS * 0.05) early = heap();
		if (tokens === TOKENS) late = heap();
	}
	const growth = Math.max(0, late - early);
	return [
		{
			work: "1,000,000 tokens in one turn",
			measure: "heap at the end − heap at 5 %, MB",
			value: Math.round(growth * 100) / 100,
			reach: `≤ ${REACH_MB} (flat)`,
			pass: growth <= REACH_MB,
		},
	];
}

/** Made as it is read: the wire itself must not be in memory. */
function makeBody() {
	const lines = ndjsonLines(TOKENS);
	const encoder = new TextEncoder();
	return new ReadableStream({
		pull(controller) {
			let text = "";
			while (text.length < READ_BYTES) {
				const { done, value } = lines.next();
				if (done) break;
				text += value;
			}
			if (text === "") controller.close();
			else controller.enqueue(encoder.encode(text));
		},
	});
}

function heap() {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed / 1024 / 1024;
}
