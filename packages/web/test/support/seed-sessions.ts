import { EVENTS_LOG, type SessionValue, TRANSCRIPT } from "@baton/agent";
import type { Collection, Json, Store } from "@baton/session";

const DOORS = ["agent-api", "gateway", "a2a"];
const TOPICS = ["the tides", "a broken kettle", "flight 403", "Ada’s letters", "the garden wall"];

/** Sessions that have ended, each with a question and an answer, written as a door writes them. */
export async function seedSessions(store: Store, owner: string, count: number): Promise<void> {
	const sessions = store.collection<SessionValue>("sessions");
	const now = Date.now();
	for (let from = 0; from < count; from += 200) {
		const numbers = Array.from({ length: Math.min(200, count - from) }, (_, i) => from + i);
		await Promise.all(numbers.map((n) => seedSession(sessions, owner, n, now - 1 - n * 60_000)));
	}
}

async function seedSession(
	sessions: Collection<SessionValue>,
	owner: string,
	n: number,
	at: number,
): Promise<void> {
	const id = `${owner}-${n}`;
	const topic = TOPICS[n % TOPICS.length];
	const status = n % 17 === 3 ? "error" : n % 23 === 5 ? "aborted" : "success";
	await sessions.create(
		id,
		sessionValue(id, owner, at, DOORS[n % 3]!, `Question ${n} about ${topic}`),
		{
			group: owner,
			createdAt: at,
		},
	);
	const runId = `run-${n}`;
	await sessions.append(id, TRANSCRIPT, [
		{ role: "user", content: `Question ${n} about ${topic}`, timestamp: at, runId },
		{ role: "assistant", content: `What is known about ${topic}.`, timestamp: at, runId, status },
	]);
}

/** One session whose log is long: turns of text, a tool in each, and one that was recovered. */
export async function seedLongSession(
	store: Store,
	owner: string,
	id: string,
	count: number,
): Promise<void> {
	const sessions = store.collection<SessionValue>("sessions");
	const at = Date.now();
	const value = sessionValue(id, owner, at, "agent-api", `A log of ${count} events`);
	await sessions.create(id, { ...value, settledSeq: count }, { group: owner, createdAt: at });
	const turns = 20;
	const size = count / turns;
	for (let turn = 0; turn < turns; turn++) {
		const events = turnOf(turn, size, turn * size);
		for (let i = 0; i < size; i += 5_000) {
			await sessions.append(id, EVENTS_LOG, events.slice(i, i + 5_000));
		}
	}
	await sessions.append(id, TRANSCRIPT, [
		{ role: "assistant", content: "The end.", timestamp: at, runId: "turn-1", status: "success" },
	]);
}

function turnOf(turn: number, size: number, before: number): Json[] {
	const run_id = `turn-${turn}`;
	const words = (from: number, to: number): Json[] =>
		Array.from({ length: to - from }, (_, i) => {
			return { type: "message", role: "assistant", content: `w${from + i} `, delta: true, run_id };
		});
	const half = Math.floor(size / 2);
	const middle: Json[] =
		turn === 10
			? [
					{ type: "retract", run_id, up_to: before + half, reason: "retry" },
					{
						type: "recovered",
						run_id,
						policy: "retry",
						attempt: 2,
						reason: "Its process was lost.",
					},
				]
			: [
					{ type: "tool_use", tool_id: "t", tool_name: "search", parameters: { turn }, run_id },
					{ type: "tool_result", tool_id: "t", status: "success", output: "found", run_id },
				];
	return [
		{
			type: "input_admitted",
			run_id,
			content: `Turn ${turn}`,
			timestamp: new Date().toISOString(),
		},
		{ type: "init", session_id: "long", model: "demo", run_id },
		...words(3, half + 1),
		...middle,
		...words(half + 3, size),
		{ type: "result", status: turn === 5 ? "error" : "success", run_id },
	];
}

function sessionValue(
	id: string,
	owner: string,
	at: number,
	door: string,
	label: string,
): SessionValue {
	return {
		key: id,
		agentId: "demo",
		createdAt: at,
		updatedAt: at,
		label,
		owner,
		door,
		memory: {},
		settledSeq: 0,
		latestTurnSeq: 0,
	};
}
