import type { Collection, JsonObject, LogRow } from "@baton/session";
import type { HistoryMessage } from "../agent";
import { type SessionValue, TRANSCRIPT } from "./session-value";

/** A committed message: the gateway's `TranscriptEvent`, with fields of our own. */
export type TranscriptRow = JsonObject & {
	role: "user" | "assistant" | "tool_result";
	content: string;
	timestamp: number;
	runId?: string;
	toolName?: string;
	/** How the turn ended, on the assistant's row. */
	status?: "success" | "error" | "aborted";
	error?: string;
	/** What the agent waits for, where its turn ended with a question: `inquire`, `confirm`. */
	awaits?: string;
};

/** A row of a turn: it is known by its run. */
type CommittedRow = TranscriptRow & { runId: string };

/** How many of the latest rows are an agent's context. */
const CONTEXT_ROWS = 500;

/** One message of a run, for an append: stored again, it changes nothing. */
export function rowOf(row: CommittedRow): LogRow {
	const { role, runId } = row;
	return { log: TRANSCRIPT, event: row, once: { key: `${role}:${runId}`, body: { runId, role } } };
}

/** The assistant's row of a run, if it was committed. */
export async function findAssistantRow(
	sessions: Collection<SessionValue>,
	sessionId: string,
	runId: string,
): Promise<TranscriptRow | undefined> {
	const { entries } = await sessions.tail(sessionId, TRANSCRIPT, CONTEXT_ROWS);
	return entries
		.map((entry) => entry.event as TranscriptRow)
		.find((row) => row.runId === runId && row.role === "assistant");
}

/**
 * The conversation before a run, turn by turn. Rows are in the order in which they were committed,
 * and a queued input is committed before the answer to the turn it waits for: the turns sort it out.
 */
export async function readHistory(
	sessions: Collection<SessionValue>,
	sessionId: string,
	beforeRunId: string,
): Promise<HistoryMessage[]> {
	const { entries } = await sessions.tail(sessionId, TRANSCRIPT, CONTEXT_ROWS);
	const turns = new Map<string, HistoryMessage[]>();
	for (const [i, entry] of entries.entries()) {
		const { role, content, runId } = entry.event as TranscriptRow;
		if (role === "tool_result" || typeof content !== "string") continue;
		const turn = runId ?? `row ${i}`;
		const messages = turns.get(turn) ?? [];
		turns.set(turn, messages);
		if (content !== "") messages.push({ role, content, ...(runId && { runId }) });
	}
	const history: HistoryMessage[] = [];
	for (const [turn, messages] of turns) {
		if (turn === beforeRunId) break;
		history.push(...messages);
	}
	return history;
}
