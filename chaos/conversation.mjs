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
		finished && turns.every((turn) => !turn.runId || holdsEnd(view, turn.runId));
	const reader = agentApi.follow({ sessionId, anyInstance, isDone, signal });
	while (!isOver() && !signal.aborted) {
		const words = random.between(20, 150);
		const message = `/stream ${words} words every ${random.between(5, 20)}ms`;
		const turn = { message, runId: undefined, ended: false };
		turns.push(turn);
		const late = AbortSignal.any([signal, AbortSignal.timeout(TURN_MS)]);
		const key = `turn-${turns.length}`;
		try {
			const ran = await door.runTurn({ sessionId, message, key, anyInstance, signal: late });
			Object.assign(turn, ran, { ended: !late.aborted });
		} catch (error) {
			turn.refused = error.message;
		}
		if (!turn.ended) break;
	}
	finished = true;
	const id = turns.find((turn) => turn.id)?.id;
	return { id, door: door.name, turns, readers: [await reader] };
}

function holdsEnd(view, runId) {
	for (const line of view.lines) if (line.type === "result" && line.run_id === runId) return true;
	return false;
}
