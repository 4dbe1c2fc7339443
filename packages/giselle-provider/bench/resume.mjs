// A paused turn goes on: from the tool's result to the first part of the stream. The first word that
// comes because of it is told beside: it includes the way to the agent and back, which the peer has
// none of. Sessions are on real Redis; the agent API and the other instance are processes of their
// own, and the agent answers at once. The peer is a late attach that reads what was said so far.
import { Redis } from "ioredis";
import { createResumableStreamContext } from "resumable-stream/ioredis";
import { EVENTS, SESSION } from "../../../bench/attach-writer.mjs";
import { compare, ratioRow } from "../../../bench/measure.mjs";
import { closeSessions, giselle } from "../dist/index.js";
import { startParts } from "./support/resume-parts.mjs";

const user = { role: "user", content: [{ type: "text", text: "ask" }] };
let chats = 0;

export async function run({ quick }) {
	const parts = await startParts();
	process.env.REDIS_URL = parts.redisUrl;
	const model = giselle({ cloudApiUrl: parts.apiUrl });
	const [publisher, subscriber] = [new Redis(parts.redisUrl), new Redis(parts.redisUrl)];
	await Promise.all([publisher.ping(), subscriber.ping()]);
	const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
	const peer = () => attach(context);
	const rounds = quick ? 15 : 61;
	const rows = [];
	for (const [work, pause, reach] of [
		["hot resume", () => pauseHere(model), 0.5],
		["cold resume on another process", () => pauseThere(parts.instanceUrl), 1],
	]) {
		const measureUntil = (until) => {
			const ours = async () => resume(model, await pause(), until);
			return compare({ rounds, warmups: 60, peer, ours });
		};
		const part = await measureUntil("response-metadata");
		const word = await measureUntil("text-delta");
		const measure = `time ÷ resumable-stream attach (first word ${word.ours.toFixed(1)} ms)`;
		rows.push(ratioRow({ work: `${work}, first part`, measure, reach }, part));
	}
	await closeSessions();
	for (const client of [publisher, subscriber]) client.disconnect();
	await parts.stop();
	return rows;
}

async function pauseHere(model) {
	const chatId = `bench-${chats++}`;
	const { stream } = await model.doStream(callOf(chatId, [user]));
	let call;
	for await (const part of stream) if (part.type === "tool-call") call = part;
	return { chatId, call };
}

async function pauseThere(url) {
	const chatId = `bench-${chats++}`;
	const body = JSON.stringify({ prompt: [user], giselle: { chatId } });
	const response = await fetch(url, { method: "POST", body });
	const lines = (await response.text()).trim().split("\n").map(JSON.parse);
	return { chatId, call: lines.find(({ type }) => type === "tool-call") };
}

/** Milliseconds to the first part of a kind. The turn is then read to its end: none is left behind. */
async function resume(model, { chatId, call }, until) {
	const { toolCallId, toolName } = call;
	const output = { type: "json", value: { fields: [] } };
	const prompt = [
		user,
		{ role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input: {} }] },
		{ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] },
	];
	const start = performance.now();
	const { stream } = await model.doStream(callOf(chatId, prompt));
	let time;
	for await (const part of stream) {
		if (part.type === until) time ??= performance.now() - start;
	}
	if (time === undefined) throw new Error(`There was no ${until}.`);
	return time;
}

function callOf(chatId, prompt) {
	return { prompt, providerOptions: { giselle: { chatId } } };
}

/** Its chunks arrive joined, all that has been said so far at once. */
async function attach(context) {
	const start = performance.now();
	const stream = await context.resumeExistingStream(SESSION);
	let events = 0;
	for await (const text of stream) {
		for (const line of text.split("\n")) if (line.length > 0) events++;
		if (events >= EVENTS) break;
	}
	return performance.now() - start;
}
