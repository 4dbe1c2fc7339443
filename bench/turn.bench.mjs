// A turn of 20,000 tokens from the demo agent to an HTTP client, through the log, on files and on
// Redis. The peer writes the same tokens straight to its response.
import { fileURLToPath } from "node:url";
import { spawnNode, startRedis } from "@baton/testkit";
import { startBaton } from "./baton-server.mjs";
import { compare, median, ratioRow } from "./measure.mjs";
import { readTurn } from "./read-turn.mjs";

const STRAIGHT = fileURLToPath(new URL("./straight-server.mjs", import.meta.url));

export async function run({ quick }) {
	const words = quick ? 5_000 : 20_000;
	const redis = await startRedis();
	const straight = spawnNode(STRAIGHT);
	const port = await straight.waitForLine(() => true);
	const rows = [];
	for (const [name, env] of [
		["files", {}],
		["Redis", { REDIS_URL: redis.url }],
	]) {
		const baton = await startBaton(env);
		const later = [];
		const peer = { first: 0 };
		const body = { type: "agent.run", message: `/stream ${words} words` };
		const result = await compare({
			rounds: quick ? 5 : 11,
			async ours() {
				const { firstMs, totalMs } = await readTurn(
					`${baton.url}/agent-api/run`,
					baton.headers,
					body,
				);
				later.push(firstMs);
				return totalMs;
			},
			async peer() {
				const { firstMs, totalMs } = await readTurn(`http://127.0.0.1:${port}/`, {}, body);
				peer.first = firstMs;
				return totalMs;
			},
		});
		const work = `${words.toLocaleString("en")}-token turn to an HTTP client, ${name}`;
		rows.push(ratioRow({ work, measure: "time ÷ straight to the response", reach: 2 }, result));
		const first = median(later);
		rows.push({
			work: `  its first token, ${name}`,
			measure: "ms later than straight",
			unit: "ms",
			ours: first,
			peer: peer.first,
			ratio: first - peer.first,
			reach: "≤ 5",
			pass: first - peer.first <= 5,
		});
		await baton.stop();
	}
	await straight.stop();
	await redis.stop();
	return rows;
}
