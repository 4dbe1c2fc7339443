import { agentApi } from "./doors/agent-api.mjs";

/** How long a turn may take from its admission to its end, troubles included. */
const TURN_MS = 120_000;

/**
 * One person who talks through one door, turn after turn until the time is up, and one who follows
 * the whole conversation somewhere else.
 */
export async function converse({ number, door, random, anyInstance, isOver, signal }) {
	const turns = [];
	const sessionId = await door.open({ number, anyInstance, signal });
	let finished = false;
	const isDone = (view) =>
		finished && turns.every((turn) => !turn.ended || holdsEnd(view, turn.keyInLog));
	const reader = agentApi.follow({ sessionId, anyInstance, isDone, signal });
	while (!isOver() && !signal.aborted) {
		const words = random.between(20, 150);
		const message = `/stream ${words} words every ${random.between(5, 20)}ms`;
		const key = `talk-${number}-turn-${turns.length + 1}`;
		const keyInLog = door.keyInLog?.(key) ?? key;
		const turn = { message, keyInLog, runId: undefined, ended: false };
		turns.push(turn);
		const late = AbortSignal.any([signal, AbortSignal.timeout(TURN_MS)]);
		try {
			const ran = await door.runTurn({ sessionId, message, key, anyInstance, signal: late });
			Object.assign(turn, ran, { ended: !late.aborted });
		} catch (error) {
			turn.refused = error.message;
		}
		if (!turn.ended) break;
	}
	finished = true;
	const held = await reader;
	return { id: sessionOf(held), door: door.name, turns, readers: [held] };
}

/** The session's own id, which a chat of the caller's choice is only another name for. */
function sessionOf(view) {
	for (const line of view.lines) if (line.type === "init") return line.session_id;
	return undefined;
}

function holdsEnd(view, key) {
	const lines = [...view.lines];
	const input = lines.find(
		(line) => line.type === "input_admitted" && line.idempotency_key === key,
	);
	return lines.some((line) => line.type === "result" && line.run_id === input?.run_id);
}
