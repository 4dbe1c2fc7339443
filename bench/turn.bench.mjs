// A turn of 20,000 tokens from the demo agent to an HTTP client, through the log, on files and on
// Redis. The peer writes the same tokens straight to its response, 64 at a time: out of a plain loop,
// and, to tell the agent's own cost from the log's, out of the same agent.
import { fileURLToPath } from "node:url";
import { spawnNode, startRedis } from "@baton/testkit";
import { startBaton } from "./baton-server.mjs";
import { compare, median, ratioRow } from "./measure.mjs";
import { readTurn } from "./read-turn.mjs";

const STRAIGHT = fileURLToPath(new URL("./straight-server.mjs", import.meta.url));

/** Short turns that each server has behind it: what is measured is one in use, not one just started. */
const WARM_UP_TURNS = 500;

export async function run({ quick }) {
	const words = quick ? 5_000 : 20_000;
	const rounds = quick ? 5 : 11;
	const redis = await startRedis();
	const [loop, agent] = [await startStraight("loop"), await startStraight("agent")];
	for (const peer of [loop, agent]) await warmUp(peer.url);
	const rows = [];
	for (const [name, env] of [
		["files", {}],
		["Redis", { REDIS_URL: redis.url }],
	]) {
		const baton = await startBaton(env);
		await warmUp(`${baton.url}/agent-api/run`, baton.headers);
		const body = { type: "agent.run", message: `/stream ${words} words` };
		const against = async (peer) => {
			const first = { ours: [], peer: [] };
			const read = async (side, url, headers) => {
				const { firstMs, totalMs, tokens } = await readTurn(url, headers, body);
				if (tokens !== words) throw new Error(`${tokens} tokens came, not ${words}.`);
				first[side].push(firstMs);
				return totalMs;
			};
			const result = await compare({
				rounds,
				ours: () => read("ours", `${baton.url}/agent-api/run`, baton.headers),
				peer: () => read("peer", peer.url, {}),
			});
			return { result, first: { ours: median(first.ours), peer: median(first.peer) } };
		};
		const work = `${words.toLocaleString("en")}-token turn to an HTTP client, ${name}`;
		const strict = await against(loop);
		const measure = "time ÷ straight to the response";
		rows.push(ratioRow({ work, measure, reach: 2 }, strict.result));
		const later = strict.first.ours - strict.first.peer;
		rows.push({
			work: `  its first token, ${name}`,
			measure: "ms later than straight",
			unit: "ms",
			...strict.first,
			ratio: later,
			reach: "≤ 5",
			pass: later <= 5,
		});
		const { result } = await against(agent);
		const same = { work: `  beside the same agent, ${name}`, measure: `${measure}, same agent` };
		rows.push(ratioRow({ ...same, reach: 2 }, result));
		await baton.stop();
	}
	for (const one of [loop, agent]) await one.stop();
	await redis.stop();
	return rows;
}

async function warmUp(url, headers = {}) {
	const body = { type: "agent.run", message: "/stream 20 words" };
	for (let turn = 0; turn < WARM_UP_TURNS; turn++) await readTurn(url, headers, body);
}

async function startStraight(source) {
	const child = spawnNode(STRAIGHT, { args: [source] });
	const port = await child.waitForLine(() => true);
	return { url: `http://127.0.0.1:${port}/`, stop: child.stop };
}
