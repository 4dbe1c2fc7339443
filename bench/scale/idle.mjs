import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** Tokens of the one answer that each session holds. */
export const TOKENS = 100;
/** Sessions that are made by turns. */
const REAL = 1_000;
/** Turns before the heap of the process is looked at. */
const WARM_UP = 200;
const AT_ONCE = 32;
const SETTLED_MS = 1_500;
const INDEX = "sessions:#index:owner";
const ALARMS = "sessions:#alarms";

/** Makes `count` sessions that have had one turn each, and weighs them. */
export async function measureFresh(bench, count = REAL) {
	const { admin } = bench;
	const base = await bench.redisBytes();
	const warm = Math.min(WARM_UP, count / 2);
	await runTurns(bench, warm);
	await sleep(SETTLED_MS);
	const heap = await bench.heapBytes();
	await runTurns(bench, count - warm);
	// A session is settled a moment after its turn has ended.
	await sleep(SETTLED_MS);
	const ids = await admin.zrange(INDEX, 0, 19);
	return {
		bytes: ((await bench.redisBytes()) - base) / count,
		heapPerSession: ((await bench.heapBytes()) - heap) / (count - warm),
		parts: await weigh(admin, ids),
		indexEntry: (await sizeOf(admin, INDEX)) / (await admin.zcard(INDEX)),
		alarmEntry: (await sizeOf(admin, ALARMS)) / (await admin.zcard(ALARMS)),
	};
}

/**
 * Fills up to `count` sessions with such whose events are kept no longer, as they are when nobody has
 * come for a day, and weighs those. They are written as turns write them, without the turns.
 */
export async function measureRested(bench, count) {
	const { admin, sessions } = bench;
	const [source] = await admin.zrange(INDEX, 0, 0);
	const { value } = await sessions.get(source);
	const rows = (await sessions.read(source, "transcript")).entries.map(({ event }) => event);
	const events = (await sessions.read(source, "events")).entries.map(({ event }) => event);
	let left = count - (await admin.zcard(INDEX));
	const added = left;
	let latest = "";
	const one = async () => {
		while (left-- > 0) {
			const id = randomUUID();
			await sessions.create(id, { ...value, key: id }, { group: "owner" });
			for (const row of rows) {
				const once = { key: `row ${row.runId} ${row.role}` };
				await sessions.append(id, "transcript", [row], { once });
			}
			const { last } = await sessions.append(id, "events", events);
			await sessions.trim(id, "events", last + 1);
			latest = id;
		}
	};
	const base = await bench.redisBytes();
	await Promise.all(Array.from({ length: AT_ONCE }, one));
	return {
		bytes: ((await bench.redisBytes()) - base) / added,
		parts: await weigh(admin, [latest]),
	};
}

async function runTurns(bench, count) {
	let next = 0;
	const one = async () => {
		while (next++ < count) await runTurn(bench, `/stream ${TOKENS} words`);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** A session of its own, a turn, and its reader, to the end. */
export async function runTurn({ turns }, message, onToken = () => {}) {
	const { key } = await turns.create({ agentId: "demo", owner: "owner", door: "bench" });
	const { seq } = await turns.send(key, { content: message });
	for await (const { entries } of turns.follow(key, { after: seq - 1 })) {
		for (const { json } of entries) {
			if (json.startsWith('{"type":"message"')) onToken();
			if (json.startsWith('{"type":"result"')) return key;
		}
	}
}

/** Bytes of each kind of key, in the middle of the sessions given. */
async function weigh(admin, ids) {
	const kinds = {
		record: (id) => `sessions:${id}`,
		state: (id) => `{sessions:${id}}:state`,
		once: (id) => `{sessions:${id}}:once`,
		events: (id) => `{sessions:${id}}:log:events`,
		transcript: (id) => `{sessions:${id}}:log:transcript`,
	};
	const parts = {};
	for (const [kind, name] of Object.entries(kinds)) {
		const sizes = await Promise.all(ids.map((id) => sizeOf(admin, name(id))));
		parts[kind] = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)];
	}
	return parts;
}

async function sizeOf(admin, key) {
	return (await admin.memory("USAGE", key, "SAMPLES", 0)) ?? 0;
}
