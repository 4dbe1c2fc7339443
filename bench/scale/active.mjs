import { setTimeout as sleep } from "node:timers/promises";
import { runTurn } from "./idle.mjs";

const WORDS = 100;
const EVERY_MS = 50;
const FEW = 40;
const WAIT_MS = 4_000;
const ALARMS = 5_000;

/** What a session costs while its agent speaks, and while it waits for something. */
export async function measureActive(bench, count) {
	await runTurn(bench, "/stream 5 words");
	return {
		// Few, so that each word is an append of its own: a process that has more to do sends fewer.
		speaking: {
			...(await measureSpeaking(bench, Math.min(count, FEW))),
			heapPerSession: (await measureSpeaking(bench, count)).heapPerSession,
		},
		waiting: await measureWaiting(bench, count),
		alarmCpuMicros: await measureAlarms(bench),
	};
}

async function measureSpeaking(bench, count) {
	const heap = await bench.heapBytes();
	const [bytes, cpu, before] = await lookAt(bench);
	let tokens = 0;
	const message = `/stream ${WORDS} words every ${EVERY_MS}ms`;
	const running = Array.from({ length: count }, () => runTurn(bench, message, () => tokens++));
	// Half way, when all of them speak.
	await sleep((WORDS * EVERY_MS) / 2);
	const heapPerSession = ((await bench.heapBytes()) - heap) / count;
	const redisPerSession = ((await bench.redisBytes()) - bytes) / count;
	await Promise.all(running);
	const [, cpuAfter, after] = await lookAt(bench);
	return {
		heapPerSession,
		redisPerSession,
		sentPerToken: (after.sent - before.sent) / tokens,
		runPerToken: (after.run - before.run) / tokens,
		cpuMicrosPerToken: (cpuAfter - cpu) / tokens,
	};
}

/** Turns that wait: their lease and their alarm are renewed, and nothing else happens. */
async function measureWaiting({ turns, ...bench }, count) {
	const heap = await bench.heapBytes();
	const keys = await Promise.all(
		Array.from({ length: count }, async () => {
			const { key } = await turns.create({ agentId: "demo", owner: "owner", door: "bench" });
			await turns.send(key, { content: "/wait 600s" });
			return key;
		}),
	);
	await sleep(1_000);
	const heapPerSession = ((await bench.heapBytes()) - heap) / count;
	const [, cpu, before] = await lookAt(bench);
	await sleep(WAIT_MS);
	const [, cpuAfter, after] = await lookAt(bench);
	const sessionSeconds = (count * WAIT_MS) / 1_000;
	for (const key of keys) await turns.abort(key);
	while (await stillHeld(bench, keys)) await sleep(50);
	return {
		heapPerSession,
		sentPerSecond: (after.sent - before.sent) / sessionSeconds,
		cpuMicrosPerSecond: (cpuAfter - cpu) / sessionSeconds,
	};
}

async function stillHeld({ sessions }, keys) {
	const states = await Promise.all(keys.map((key) => sessions.state(key, "events")));
	return states.some(({ lease }) => lease !== null);
}

/** All alarms of a store stand in one key, so what one costs there bounds how many turns run. */
async function measureAlarms({ sessions, admin, redisCpu }) {
	const ids = await admin.zrange("sessions:#index:owner", 0, ALARMS - 1);
	for (const id of ids) await admin.zadd("sessions:#alarms", Date.now() + 600_000, id);
	const before = await redisCpu();
	for (let at = 0; at < ids.length; at += 50) {
		await Promise.all(ids.slice(at, at + 50).map((id) => sessions.setAlarm(id, 600_000)));
	}
	const micros = ((await redisCpu()) - before) / ids.length;
	await admin.zrem("sessions:#alarms", ...ids);
	return micros;
}

function lookAt(bench) {
	return Promise.all([bench.redisBytes(), bench.redisCpu(), bench.counts()]);
}
