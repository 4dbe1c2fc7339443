// What the ratios of `npm run bench` cannot go below: the same work against the same peers, done by bare
// servers that keep the promise (what is shown is stored, whoever attaches has a key and a session) and
// do nothing else. `npm run bench -- --floors`
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startAgentforceSimulator } from "@baton/a2a-agentforce/simulator";
import { spawnNode, startRedis, tempDir } from "@baton/testkit";
import { GAP_MS, now, openBareHop } from "./bare-hop.mjs";
import { firstEvent } from "./first-event.mjs";
import { compare, median, medianOf } from "./measure.mjs";
import { readTurn } from "./read-turn.mjs";
import { noteWords, timeOfWord } from "./word-times.mjs";

const TOKENS = 20_000;
const WORDS = 200;
const WARM_UP_TURNS = 500;

async function start(file, ...args) {
	const child = spawnNode(fileURLToPath(new URL(file, import.meta.url)), { args });
	const port = await child.waitForLine(() => true);
	return { url: `http://127.0.0.1:${port}/`, stop: child.stop };
}

async function turnFloor(name, file, ...args) {
	const [floor, loop] = [await start(file, ...args), await start("./straight-server.mjs", "loop")];
	const first = { floor: [], loop: [] };
	const read = async (side, { url }, words = TOKENS) => {
		const { firstMs, totalMs } = await readTurn(url, {}, { message: `/stream ${words} words` });
		first[side].push(firstMs);
		return totalMs;
	};
	for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
		await read("floor", floor, 20);
		await read("loop", loop, 20);
	}
	first.floor.length = first.loop.length = 0;
	const ours = () => read("floor", floor);
	const result = await compare({ rounds: 15, ours, peer: () => read("loop", loop) });
	await floor.stop();
	await loop.stop();
	tell(`20,000-token turn, ${name} ÷ straight to the response`, result);
	const later = median(first.floor) - median(first.loop);
	console.log(`  its first token: ${later.toFixed(2)} ms later`);
}

async function attachFloor(redisUrl) {
	const writer = spawnNode(fileURLToPath(new URL("./attach-writer.mjs", import.meta.url)), {
		args: [redisUrl],
	});
	await writer.waitForLine("written");
	const [floor, resume] = [
		await start("./floors/attach-server.mjs", redisUrl),
		await start("./resume-server.mjs", redisUrl),
	];
	const headers = { authorization: "Bearer bench-key-0123456789abcdef" };
	const attach = { url: floor.url, headers, body: JSON.stringify({ session_id: "bench" }) };
	const result = await compare({
		rounds: 21,
		warmups: 250,
		ours: () => medianOf(9, () => firstEvent(attach, '"seq":')),
		peer: () => medianOf(9, () => firstEvent({ url: resume.url, headers: {} }, "{")),
	});
	for (const one of [floor, resume, writer]) await one.stop();
	tell("attach over HTTP, first event ÷ resumable-stream", result);
}

/** HTTP in, Redis, HTTP out: what a word passes, whoever carries it. */
async function wordFloor(redisUrl) {
	const [a, b] = [
		await start("./floors/hop-server.mjs", "publish", redisUrl),
		await start("./floors/hop-server.mjs", "subscribe", redisUrl),
	];
	const sent = new Map();
	const source = createServer(async (_, response) => {
		response.flushHeaders();
		for (let n = 1; n <= WORDS; n++) {
			await sleep(GAP_MS);
			sent.set(String(n), now());
			response.write(`data: {"word":"${n}"}\n\n`);
		}
		response.end();
	}).listen(0, "127.0.0.1");
	await once(source, "listening");
	const hop = await openBareHop(redisUrl);
	const from = encodeURIComponent(`http://127.0.0.1:${source.address().port}/`);
	const medianWord = async () => {
		const took = [];
		const reading = request(b.url).end();
		const [stream] = await once(reading, "response");
		stream.setEncoding("utf8").on("data", (text) => {
			const at = now();
			took.push(at - sent.get(/.*"word":"(\d+)"/s.exec(text)[1]));
		});
		const [carried] = await once(request(`${a.url}?from=${from}`).end(), "response");
		await once(carried.resume(), "end");
		await sleep(50);
		reading.destroy();
		return median(took);
	};
	const peer = () => hop.medianOf(WORDS);
	const result = await compare({ rounds: 7, warmups: 1, ours: medianWord, peer });
	hop.close();
	source.close();
	for (const one of [a, b]) await one.stop();
	tell("one word, HTTP → Redis → HTTP ÷ publish → subscribe", result);
}

/** The same through the parts that Baton must have on the way. */
async function partsFloor(redisUrl, way, name) {
	const simulator = await startAgentforceSimulator();
	const args = [way, redisUrl, JSON.stringify(simulator.settings)];
	const [a, b] = [
		await start("./floors/word-server.mjs", "publish", ...args),
		await start("./floors/word-server.mjs", "subscribe", ...args),
	];
	const hop = await openBareHop(redisUrl);
	const sent = noteWords();
	const medianWord = async () => {
		const id = randomUUID();
		const text = `count to ${WORDS} every ${GAP_MS}ms`;
		const [said] = await once(request(`${a.url}${id}`, { method: "POST" }).end(text), "response");
		const ended = once(said.resume(), "end");
		const params = { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } };
		const reading = request(b.url, { method: "POST" }).end(JSON.stringify(params));
		const [stream] = await once(reading, "response");
		const took = [];
		stream.setEncoding("utf8").on("data", (piece) => took.push(...timeOfWord(piece, sent)));
		await Promise.all([ended, once(stream, "end")]);
		return median(took);
	};
	const peer = () => hop.medianOf(WORDS);
	const result = await compare({ rounds: 7, warmups: 1, ours: medianWord, peer });
	hop.close();
	for (const one of [a, b, simulator]) await one.stop();
	tell(`one word, Agent API client → ${name} → A2A SDK ÷ publish → subscribe`, result);
}

function tell(work, { ratio, ours, peer, spread: [low, high] }) {
	const [mine, theirs] = [ours, peer].map((ms) => `${ms.toFixed(2)} ms`);
	const steady = `middle half ${low.toFixed(2)} to ${high.toFixed(2)}`;
	console.log(`${work}: ${ratio.toFixed(2)} (${mine} ÷ ${theirs}, ${steady})`);
}

const redis = await startRedis();
const folder = await tempDir("baton-floors");
await turnFloor("nothing stored, the demo agent", "./straight-server.mjs", "agent");
await turnFloor("file", "./floors/turn-server.mjs", "file", folder.path);
await turnFloor("Redis", "./floors/turn-server.mjs", "redis", redis.url);
await attachFloor(redis.url);
await wordFloor(redis.url);
await partsFloor(redis.url, "bare", "bare commands");
await partsFloor(redis.url, "kept", "session core");
await folder.remove();
await redis.stop();
