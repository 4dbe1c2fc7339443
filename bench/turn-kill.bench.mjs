// The process that runs a turn is killed with SIGKILL while a reader is attached to another one: how
// long until that reader is told, and how much of the text is missing in the end.
import { NdjsonParser } from "@baton/protocol";
import { startRedis } from "@baton/testkit";
import { startBaton } from "./baton-server.mjs";
import { median } from "./measure.mjs";

const WORDS = 300;
const MAX_ROUNDS = 20;

export async function run({ quick }) {
	const redis = await startRedis();
	const rounds = [];
	for (let round = 0; rounds.length < (quick ? 2 : 5); round++) {
		const outcome = await killOnce(redis.url, round);
		// On a busy machine the turn may be over before its runner is killed: that shows nothing.
		if (outcome.noticedMs > 0) rounds.push(outcome);
		else if (round === MAX_ROUNDS) throw new Error("No kill came before the end of its turn.");
	}
	await redis.stop();
	const noticed = median(rounds.map(({ noticedMs }) => noticedMs));
	const lost = rounds.reduce((sum, round) => sum + round.lost, 0);
	return [
		{
			work: "kill -9 of the runner: its readers are told",
			measure: "ms (resumable-stream: never)",
			unit: "ms",
			ours: noticed,
			ratio: noticed / 3_000,
			reach: "≤ 3 s",
			pass: Math.max(...rounds.map(({ noticedMs }) => noticedMs)) <= 3_000,
		},
		{
			work: "  words lost or repeated in the end",
			measure: `of ${rounds.length * WORDS} (resumable-stream: all)`,
			unit: "words",
			ours: lost,
			ratio: lost,
			reach: "0",
			pass: lost === 0,
		},
	];
}

async function killOnce(url, round) {
	const runner = await startBaton({ REDIS_URL: url });
	const session_id = `bench-${round}`;
	const message = `/stream ${WORDS} words every 5ms`;
	await call(runner, { session_id, message });
	const other = await startBaton({ REDIS_URL: url });
	const response = await call(other, { session_id, attach: true });
	const parser = new NdjsonParser();
	let said = [];
	let killedAt = 0;
	let noticedMs = 0;
	for await (const chunk of response.body) {
		for (const { value } of parser.push(chunk)) {
			if (value.type === "message") said.push(value.content.trim());
			if (value.type === "retract") said = [];
			if (killedAt && !noticedMs && value.type !== "message")
				noticedMs = performance.now() - killedAt;
		}
		if (!killedAt && said.length > 20) {
			runner.child.kill("SIGKILL");
			killedAt = performance.now();
		}
	}
	for (const one of [runner, other]) await one.stop();
	const expected = Array.from({ length: WORDS }, (_, i) => `w${i + 1}`);
	const wrong = expected.filter((word, i) => said[i] !== word).length;
	return { noticedMs, lost: wrong + Math.max(0, said.length - WORDS) };
}

function call(baton, body) {
	return fetch(`${baton.url}/agent-api/run`, {
		method: "POST",
		headers: baton.headers,
		body: JSON.stringify({ type: "agent.run", ...body }),
	});
}
