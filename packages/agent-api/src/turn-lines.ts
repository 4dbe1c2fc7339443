import { type SessionValue, TRANSCRIPT, type TranscriptRow, type Turns } from "@baton/agent";
import type { Collection, Reset } from "@baton/session";
import { isInput, isOfRun, isResult, lineOf, runIdOf } from "./line";

/** Messages of the conversation that a reset brings along. */
const RESET_MESSAGES = 200;

export interface Lines {
	turns: Turns;
	sessions: Collection<SessionValue>;
	sessionId: string;
	signal: AbortSignal;
}

/** One turn from its input to its result, and nothing of other turns. */
export async function* turnLines(
	{ turns, sessions, sessionId, signal }: Lines,
	turn: { runId: string; seq: number },
): AsyncGenerator<string, void, undefined> {
	const options = { after: turn.seq - 1, signal };
	for await (const { entries, reset } of turns.follow(sessionId, options)) {
		let text = reset ? await resetLine(sessions, sessionId, reset) : "";
		for (const entry of entries) {
			if (!isOfRun(entry, turn.runId)) continue;
			text += lineOf(entry);
			if (isResult(entry)) {
				yield text;
				return;
			}
		}
		if (text !== "") yield text;
	}
}

/**
 * Everything after a cursor, until no turn runs or waits. Requests that are still pending come
 * again when they are at or before the cursor; nothing here prompts the agent.
 */
export async function* attachLines(
	{ turns, sessions, sessionId, signal }: Lines,
	after: number | undefined,
): AsyncGenerator<string, void, undefined> {
	const state = await turns.state(sessionId);
	const cursor = after ?? Math.max(state.turnSeq - 1, 0);
	const open = new Set(state.running === null ? state.queued : [state.running, ...state.queued]);
	const repeated = state.pending
		.filter(({ seq }) => seq <= cursor)
		.map(({ seq, event }) => `${JSON.stringify({ ...event, seq, repeated: true })}\n`);
	if (repeated.length > 0) yield repeated.join("");
	if (cursor >= state.last && open.size === 0 && cursor === state.last) return;
	let caughtUp = cursor >= state.last;
	for await (const { entries, reset } of turns.follow(sessionId, { after: cursor, signal })) {
		let text = reset ? await resetLine(sessions, sessionId, reset) : "";
		for (const entry of entries) {
			text += lineOf(entry);
			const runId = isInput(entry) || isResult(entry) ? runIdOf(entry) : undefined;
			if (runId !== undefined && isInput(entry)) open.add(runId);
			else if (runId !== undefined) open.delete(runId);
			caughtUp ||= entry.seq >= state.last;
		}
		if (text !== "") yield text;
		if (caughtUp && open.size === 0) return;
	}
}

/** The conversation so far, for a reader whose cursor cannot be continued. */
async function resetLine(
	sessions: Collection<SessionValue>,
	sessionId: string,
	{ reason, first }: Reset,
): Promise<string> {
	const { entries } = await sessions.tail(sessionId, TRANSCRIPT, RESET_MESSAGES);
	const messages = entries
		.map((entry) => entry.event as TranscriptRow)
		.filter(({ role }) => role !== "tool_result")
		.map(({ role, content, runId }) => ({ role, content, ...(runId && { run_id: runId }) }));
	return `${JSON.stringify({ type: "reset", reason, first, messages })}\n`;
}
