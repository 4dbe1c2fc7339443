// The A2A door against the SDK's own echo server with its in-memory store: blocking sends and the
// first event of many streams; and how soon a word of Agentforce's is read on another instance,
// against a bare publish → subscribe hop of Redis.
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { startAgentforceSimulator } from "@baton/a2a-agentforce/simulator";
import { spawnNode, startRedis } from "@baton/testkit";
import { GAP_MS, openBareHop } from "./bare-hop.mjs";
import { compare, median, ratioRow } from "./measure.mjs";
import { noteWords, timeOfWord } from "./word-times.mjs";

const ECHO = fileURLToPath(new URL("./a2a-echo-server.mjs", import.meta.url));
const DOOR = fileURLToPath(new URL("./a2a-door-server.mjs", import.meta.url));
const AT_ONCE = 16;
const STREAMS = 200;

export async function run({ quick }) {
	const redis = await startRedis();
	const echo = await start(ECHO);
	const rows = [];
	for (const [name, args, least] of [
		["memory", [], 0.8],
		["Redis", [redis.url], 0.5],
	]) {
		const door = await start(DOOR, args);
		const sends = quick ? 300 : 1_000;
		const result = await compare({
			rounds: quick ? 5 : 11,
			ours: () => secondsOf(door, sends),
			peer: () => secondsOf(echo, sends),
		});
		// Requests a second, so that more is better: the inverse of the time for each.
		const [low, high] = result.spread;
		rows.push({
			work: `blocking send, ${name}`,
			measure: "requests/s ÷ the SDK's echo server",
			unit: "requests/s",
			ours: sends / result.ours,
			peer: sends / result.peer,
			ratio: 1 / result.ratio,
			spread: [1 / high, 1 / low],
			reach: `≥ ${least}`,
			pass: 1 / result.ratio >= least,
		});
		if (name === "memory") rows.push(await firstEvents(door, echo, quick));
		await door.stop();
	}
	rows.push(await wordHop(redis, quick));
	await echo.stop();
	await redis.stop();
	return rows;
}

async function firstEvents(door, echo, quick) {
	const p50 = async (server) => {
		const streams = Array.from({ length: STREAMS }, () => call(server, "SendStreamingMessage"));
		return median((await Promise.all(streams)).map(({ firstMs }) => firstMs));
	};
	const result = await compare({
		rounds: quick ? 5 : 11,
		ours: () => p50(door),
		peer: () => p50(echo),
	});
	const work = `${STREAMS} streams at once, first event`;
	return ratioRow({ work, measure: "p50 ÷ the SDK's echo server", reach: 1.3 }, result);
}

/** From the simulator's socket through one instance to a subscriber of another. */
async function wordHop(redis, quick) {
	const words = quick ? 60 : 200;
	const simulator = await startAgentforceSimulator();
	const args = [redis.url, JSON.stringify(simulator.settings)];
	const [a, b] = [await start(DOOR, args), await start(DOOR, args)];
	const hop = await openBareHop(redis.url);
	const sent = noteWords();
	const result = await compare({
		rounds: quick ? 3 : 7,
		warmups: 1,
		ours: () => medianWord(a, b, words, sent),
		peer: () => hop.medianOf(words),
	});
	hop.close();
	await a.stop();
	await b.stop();
	await simulator.stop();
	const work = "one word, Agentforce simulator → subscriber on another instance";
	return ratioRow({ work, measure: "p50 ÷ publish → subscribe", reach: 3 }, result);
}

async function medianWord(a, b, words, sent) {
	const took = [];
	const text = `count to ${words} every ${GAP_MS}ms`;
	const task = await call(a, "SendMessage", { text, configuration: { returnImmediately: true } });
	const { id } = JSON.parse(task.body).result.task;
	await call(b, "SubscribeToTask", { id }, (piece) => took.push(...timeOfWord(piece, sent)));
	if (took.length < words / 2) throw new Error(`Only ${took.length} of ${words} words were timed.`);
	return median(took);
}

async function start(script, args = []) {
	const child = spawnNode(script, { args });
	const port = Number(await child.waitForLine(() => true));
	const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });
	return {
		port,
		agent,
		async stop() {
			agent.destroy();
			await child.stop();
		},
	};
}

async function secondsOf(server, sends) {
	const start = performance.now();
	let left = sends;
	const work = async () => {
		while (left-- > 0) {
			const { body } = await call(server, "SendMessage");
			if (!body.includes("TASK_STATE_COMPLETED")) throw new Error(body);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return (performance.now() - start) / 1_000;
}

let calls = 0;

function call({ port, agent }, method, { text = "hello there", id, configuration } = {}, onPiece) {
	const messageId = `bench-${process.pid}-${calls++}`;
	const message = { messageId, role: "ROLE_USER", parts: [{ text }] };
	const params = id ? { id } : { message, configuration };
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
	const headers = {
		"Content-Type": "application/json",
		"Content-Length": Buffer.byteLength(body),
		"A2A-Version": "1.0",
		Authorization: "Bearer bench-key-0123456789abcdef",
	};
	return new Promise((resolve, reject) => {
		const start = performance.now();
		const outgoing = request({ host: "127.0.0.1", port, agent, method: "POST", headers });
		outgoing.on("error", reject).on("response", (response) => {
			let firstMs;
			let answer = "";
			response.setEncoding("utf8").on("data", (piece) => {
				firstMs ??= performance.now() - start;
				onPiece?.(piece);
				answer += piece;
			});
			response.on("end", () => resolve({ firstMs, body: answer })).on("error", reject);
		});
		outgoing.end(body);
	});
}
