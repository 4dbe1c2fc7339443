import { TaskState } from "@a2a-js/sdk";
import { type SessionValue, TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import type { Collection } from "@baton/session";
import { firstMessageKey, replyKey } from "./message-key";
import type { TaskEvent } from "./task-event";
import type { FoundTask } from "./task-index";

/** Rows of the transcript in which a task whose events are gone is looked for. */
const ROWS = 1_000;

/**
 * What is left of a task when its events are no longer kept, as the events it would be told by: its
 * runs by their rows in the transcript, and a cancel by the task's record. Empty: nothing is.
 */
export async function keptEvents(
	sessions: Collection<SessionValue>,
	found: FoundTask,
): Promise<TaskEvent[]> {
	const { entries } = await sessions.tail(found.sessionId, TRANSCRIPT, ROWS);
	const rows = entries.map((entry) => entry.event as TranscriptRow);
	const { taskId, messageId, replies = [] } = found;
	const events = [
		...runEvents(rows, taskId, firstMessageKey(messageId)),
		...replies.flatMap((reply) => runEvents(rows, reply.runId, replyKey(taskId, reply.messageId))),
	];
	const last = events.at(-1);
	if (last && found.end?.state === TaskState.TASK_STATE_CANCELED) {
		events.push({ type: "abort_requested", run_id: last.run_id, timestamp: found.end.at });
	}
	return events;
}

function runEvents(rows: readonly TranscriptRow[], runId: string, key: string): TaskEvent[] {
	const own = rows.filter((row) => row.runId === runId);
	const asked = own.find(({ role }) => role === "user");
	const said = own.find(({ role }) => role === "assistant");
	const of = { run_id: runId };
	const { content = "", timestamp } = asked ?? {};
	const admitted = { type: "input_admitted", ...of, content, idempotency_key: key, timestamp };
	if (!said) return asked ? [admitted] : [];
	const { status = "success", error, awaits } = said;
	return [
		admitted,
		{ type: "init", ...of, timestamp: said.timestamp },
		...(said.content ? [{ type: "message", role: "assistant", content: said.content, ...of }] : []),
		...(awaits === undefined ? [] : [{ type: "input_required", reason: awaits, ...of }]),
		{
			type: "result",
			...of,
			status,
			...(error !== undefined && { error: { message: error } }),
			timestamp: said.timestamp,
		},
	];
}
