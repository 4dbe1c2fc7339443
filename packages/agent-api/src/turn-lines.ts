import {
	pendingRequests,
	type SessionValue,
	TRANSCRIPT,
	type TranscriptRow,
	type TurnPosition,
	type Turns,
} from "@baton/agent";
import type { Collection, Reset } from "@baton/session";
import { begun } from "./begun";
import { belongsTo, isInput, isResult, lineOf, runIdOf } from "./line";

/** Messages of the conversation that a reset brings along. */
const RESET_MESSAGES = 200;

export interface Lines {
	turns: Pick<Turns, "position" | "follow">;
	sessions: Collection<SessionValue>;
	sessionId: string;
	/** Aborted when nobody reads any more, also when the lines have come to their end. */
	signal: AbortSignal;
}

/** One turn from its input to its result, and nothing of other turns. */
export async function* turnLines(
	{ turns, sessions, sessionId, signal }: Lines,
	turn: { runId: string; seq: number },
): AsyncGenerator<string, void, undefined> {
	const options = { after: turn.seq - 1, signal };
	const isOfTurn = belongsTo(turn.runId);
	/** After a reset: the seq by which the turn must have shown itself again. */
	let lostUnlessBy: number | null = null;
	for await (const { entries, reset } of turns.follow(sessionId, options)) {
		let text = "";
		if (reset) {
			text += await resetLine(sessions, sessionId, reset);
			lostUnlessBy = (await turns.position(sessionId)).last;
		}
		for (const entry of entries) {
			if (!isOfTurn(entry)) continue;
			text += lineOf(entry);
			lostUnlessBy = null;
			if (isResult(entry)) {
				yield text;
				return;
			}
		}
		const seen = entries.at(-1)?.seq ?? (reset ? reset.first - 1 : 0);
		const lost = lostUnlessBy !== null && seen >= lostUnlessBy;
		if (lost) text += lostLine(turn.runId);
		if (text !== "") yield text;
		if (lost) return;
	}
}

/**
 * Everything after a cursor, until no turn runs or waits; without `follow`, until where the log ends
 * now. Requests that are still pending come again when they are at or before the cursor; nothing here
 * prompts the agent.
 */
export async function* attachLines(
	{ turns, sessions, sessionId, signal }: Lines,
	{ after: asked, follow = true }: { after?: number | undefined; follow?: boolean | undefined },
	/** The session as it was found, and where it stands. */
	{ record, position: standing }: { record: SessionValue; position: Promise<TurnPosition> },
): AsyncGenerator<string, void, undefined> {
	// Of a turn that runs, the log is read in the same moment as where it stands.
	const likely = Math.min(asked ?? Number.POSITIVE_INFINITY, record.settledSeq ?? 0);
	const early = begun(turns.follow(sessionId, { after: likely, signal }));
	const position = await standing;
	const { settledSeq, latestTurnSeq, last, hasPending } = position;
	const unsettled = last > settledSeq;
	const cursor = asked ?? (unsettled ? settledSeq : Math.max(latestTurnSeq - 1, 0));
	if (hasPending) yield* repeatedRequests(sessions, sessionId, cursor);
	if (cursor === last && !(unsettled && follow)) return;
	// From where everything had ended, to know what is open; what is before the cursor is not sent.
	// A cursor beyond the log is followed as it is, for the log to refuse it.
	const after = cursor > last ? cursor : Math.min(cursor, settledSeq);
	const open = new Set<string>();
	let sendAfter = cursor;
	let caughtUpAt = last;
	const batches = after === likely ? early : turns.follow(sessionId, { after, signal });
	for await (const { entries, reset } of batches) {
		let text = "";
		if (reset) {
			// Another log, or the rest of one: nothing that was seen before counts.
			text += await resetLine(sessions, sessionId, reset);
			open.clear();
			sendAfter = 0;
			caughtUpAt = (await turns.position(sessionId)).last;
		}
		for (const entry of entries) {
			if (entry.seq > sendAfter) text += lineOf(entry);
			if (isInput(entry)) open.add(runIdOf(entry) ?? "");
			else if (isResult(entry)) open.delete(runIdOf(entry) ?? "");
		}
		if (text !== "") yield text;
		const seen = entries.at(-1)?.seq ?? (reset ? reset.first - 1 : 0);
		if (seen >= caughtUpAt && (open.size === 0 || !follow)) return;
	}
}

/** A turn that the store has lost has no end of its own. */
function lostLine(runId: string): string {
	const message = "The store lost this turn. Send the message again.";
	const error = { type: "lost", message, retryable: true };
	return `${JSON.stringify({ type: "result", run_id: runId, status: "error", error })}\n`;
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
export async function resetLine(
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
