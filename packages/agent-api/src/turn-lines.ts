import {
	pendingRequests,
	type SessionValue,
	TRANSCRIPT,
	type TranscriptRow,
	type Turns,
} from "@baton/agent";
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
	asked: number | undefined,
): AsyncGenerator<string, void, undefined> {
	const { settledSeq, latestTurnSeq, last, hasPending } = await turns.position(sessionId);
	const unsettled = last > settledSeq;
	const cursor = asked ?? (unsettled ? settledSeq : Math.max(latestTurnSeq - 1, 0));
	if (hasPending) yield* repeatedRequests(sessions, sessionId, cursor);
	if (!unsettled && cursor === last) return;
	// From where everything had ended, to know what is open; what is before the cursor is not sent.
	const open = new Set<string>();
	const after = Math.min(cursor, settledSeq);
	for await (const { entries, reset } of turns.follow(sessionId, { after, signal })) {
		let text = reset ? await resetLine(sessions, sessionId, reset) : "";
		for (const entry of entries) {
			if (entry.seq > cursor || reset) text += lineOf(entry);
			if (isInput(entry)) open.add(runIdOf(entry) ?? "");
			else if (isResult(entry)) open.delete(runIdOf(entry) ?? "");
		}
		if (text !== "") yield text;
		const caughtUp = (entries.at(-1)?.seq ?? 0) >= last;
		if (caughtUp && open.size === 0) return;
	}
}

/** Pending requests that the reader has behind it, marked as such. */
async function* repeatedRequests(
	sessions: Collection<SessionValue>,
	sessionId: string,
	cursor: number,
): AsyncGenerator<string, void, undefined> {
	const pending = await pendingRequests(sessions, sessionId);
	const lines = pending
		.filter(({ seq }) => seq <= cursor)
		.map(({ seq, event }) => `${JSON.stringify({ ...event, seq, repeated: true })}\n`);
	if (lines.length > 0) yield lines.join("");
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
