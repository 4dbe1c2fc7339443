import { cpus } from "node:os";
import { TOKENS } from "./idle.mjs";
import { RECENT, SPEAKING, TOKENS_PER_SECOND } from "./simulate.mjs";

const whole = (n) => (n === null ? "–" : Math.round(n).toLocaleString("en"));
/** A heap of some 20 MB is never twice the same: over 1,000 sessions that is as much. */
const heap = (n) => (n < 2_000 ? "< 2,000" : whole(n));
const short = (n) => (n >= 100 ? whole(n) : Number(n.toPrecision(2)).toString());
const table = (head, rows) =>
	[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The figures as Markdown. */
export function report({ at, sizes, fresh, rested, cluster, simulation }) {
	const of = (pick) => sizes.map(({ active }) => pick(active));
	const head = ["", ...sizes.map(({ sessions }) => `among ${whole(sessions)} sessions`)];
	const { scenarios } = simulation;
	return `Measured ${at}: Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model.trim()}, shared with other work. Each session has had one turn with an answer of ${TOKENS} tokens.

**Idle**, in bytes:

${table(
	["", "in Redis", ...Object.keys(fresh.parts), "index", "alarm", "in a process"],
	[
		[
			"its events are kept still",
			whole(fresh.bytes),
			...Object.values(fresh.parts).map(whole),
			whole(fresh.indexEntry),
			whole(fresh.alarmEntry),
			heap(fresh.heapPerSession),
		],
		[
			"its events are dropped",
			whole(rested.bytes),
			...Object.values(rested.parts).map(whole),
			whole(fresh.indexEntry),
			"–",
			"–",
		],
	],
)}

${table(["", ...head.slice(1)], [["bytes in Redis, of a session whose events are dropped", ...sizes.map(({ restedBytes }) => whole(restedBytes))]])}

**Open**: its agent speaks, a word every 50 ms, or waits for something.

${table(head, [
	[
		"speaks: bytes in a process, its reader included",
		...of((a) => heap(a.speaking.heapPerSession)),
	],
	["speaks: commands sent to Redis, per token", ...of((a) => short(a.speaking.sentPerToken))],
	[
		"speaks: commands that Redis ran, those of scripts included, per token",
		...of((a) => short(a.speaking.runPerToken)),
	],
	["speaks: µs of Redis' core, per token", ...of((a) => short(a.speaking.cpuMicrosPerToken))],
	["waits: bytes in a process", ...of((a) => heap(a.waiting.heapPerSession))],
	["waits: commands sent to Redis, per second", ...of((a) => short(a.waiting.sentPerSecond))],
	["waits: µs of Redis' core, per second", ...of((a) => short(a.waiting.cpuMicrosPerSecond))],
	["an alarm that is set: µs of Redis' core", ...of((a) => short(a.alarmCpuMicros))],
])}

**On a real cluster** of three masters, ${whole(cluster.sessions)} sessions: predicted ${cluster.predicted.join(" / ")}, found ${cluster.found.join(" / ")}. An append on one master costs each other one ${short(cluster.busMicros)} µs, since every node is told of its wake-up.

**${whole(simulation.sessions)} sessions**, of which ${RECENT * 100} % had a turn within a day (${whole(simulation.perSession)} bytes each in the mean). Of the open turns ${SPEAKING * 100} % speak, ${TOKENS_PER_SECOND} tokens a second each. A shard has 16 GB, filled to 70 %, and one core, used to 60 %.

${table(
	[
		"open turns",
		"in Redis",
		"tokens/s",
		"commands/s",
		"shards for memory",
		"shards for work",
		"fullest shard",
		"alarms, of one core",
		"others' wake-ups, of every core",
	],
	scenarios.map((s) => [
		whole(s.open),
		`${short(s.gigabytes)} GB`,
		whole(s.tokens),
		whole(s.commands),
		s.byMemory,
		s.byCpu,
		`${short(s.fullest.gigabytes)} GB, ${s.fullest.core.toFixed(2)} of its core, ${(s.fullest.over * 100).toFixed(1)} % over the mean`,
		s.alarmCore.toFixed(2),
		s.busCore.toFixed(2),
	]),
)}

The alarms are one key: ${short(simulation.alarmGigabytes)} GB here, and 60 % of its shard's core at ${whole(simulation.alarmLimit)} open turns. The index is one key for each owner: ${short(simulation.indexGigabytes)} GB, were all sessions one owner's.
`;
}
