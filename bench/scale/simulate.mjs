import { randomUUID } from "node:crypto";
import calculateSlot from "cluster-key-slot";
import { shardOfSlot } from "./cluster.mjs";

const GB = 1024 ** 3;
/** Tokens a second of a turn that speaks, and the part of open turns that do; the rest wait. */
export const TOKENS_PER_SECOND = 20;
export const SPEAKING = 0.5;
/** How much of one core of Redis is used at the most, and of a shard's memory. */
const CORE = 0.6;
const SHARD_BYTES = 16 * GB * 0.7;

/** The part of all sessions that had a turn within a day, whose events are still kept. */
export const RECENT = 0.1;
const SLOTS = 16_384;

/**
 * Ten million sessions, each with its own id, laid on shards as Redis Cluster lays them; so many of
 * them open at once. What the fullest shard holds and does, by the figures that were measured.
 */
export function simulate({ sizes, fresh, rested, cluster }, sessions) {
	const active = dearest(sizes.map((size) => size.active));
	const slots = layOut(sessions);
	const perSession = RECENT * fresh.bytes + (1 - RECENT) * rested.bytes;
	const scenarios = [1_000, 10_000, 50_000, 100_000].map((open) =>
		load({ open, perSession, active, cluster, sessions, slots }),
	);
	return {
		sessions,
		perSession,
		alarmLimit: (CORE * 1e6) / (2 * active.alarmCpuMicros),
		alarmGigabytes: (sessions * RECENT * fresh.alarmEntry) / GB,
		indexGigabytes: (sessions * fresh.indexEntry) / GB,
		scenarios,
	};
}

/** The number of sessions changes little of this; how busy the machine was does. The dearest counts. */
function dearest(measured) {
	const most = (pick) => Math.max(...measured.map(pick));
	return {
		speaking: {
			redisPerSession: most(({ speaking }) => speaking.redisPerSession),
			sentPerToken: most(({ speaking }) => speaking.sentPerToken),
			cpuMicrosPerToken: most(({ speaking }) => speaking.cpuMicrosPerToken),
		},
		waiting: {
			sentPerSecond: most(({ waiting }) => waiting.sentPerSecond),
			cpuMicrosPerSecond: most(({ waiting }) => waiting.cpuMicrosPerSecond),
		},
		alarmCpuMicros: most(({ alarmCpuMicros }) => alarmCpuMicros),
	};
}

/** How many sessions each slot gets. */
function layOut(sessions) {
	const slots = new Int32Array(SLOTS);
	for (let n = 0; n < sessions; n++) slots[calculateSlot(`sessions:${randomUUID()}`)]++;
	return slots;
}

/** The sessions of the fullest shard, as a multiple of the mean. */
function fullestOf(slots, shards) {
	const counts = new Array(shards).fill(0);
	for (const [slot, count] of slots.entries()) counts[shardOfSlot(slot, shards)] += count;
	return (Math.max(...counts) * shards) / counts.reduce((sum, count) => sum + count, 0);
}

function load({ open, perSession, active, cluster, sessions, slots }) {
	const { speaking, waiting, alarmCpuMicros } = active;
	const bytes = sessions * perSession + open * speaking.redisPerSession;
	const tokens = open * SPEAKING * TOKENS_PER_SECOND;
	const waits = open * (1 - SPEAKING);
	const cpu = tokens * speaking.cpuMicrosPerToken + waits * waiting.cpuMicrosPerSecond;
	const byMemory = Math.ceil(bytes / SHARD_BYTES);
	const byCpu = Math.ceil(cpu / (CORE * 1e6));
	const shards = Math.max(byMemory, byCpu, 3);
	const fullest = fullestOf(slots, shards);
	return {
		open,
		gigabytes: bytes / GB,
		tokens,
		commands: tokens * speaking.sentPerToken + waits * waiting.sentPerSecond,
		byMemory,
		byCpu,
		fullest: {
			over: fullest - 1,
			gigabytes: (bytes * fullest) / shards / GB,
			core: (cpu * fullest) / shards / 1e6,
		},
		/** Of one core: on the shard that has the alarms, and on every shard for the wake-ups of others. */
		alarmCore: (open * 2 * alarmCpuMicros) / 1e6,
		busCore: (tokens * cluster.busMicros * (1 - 1 / shards)) / 1e6,
	};
}
