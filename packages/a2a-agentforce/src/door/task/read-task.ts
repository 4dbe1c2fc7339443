import { type Task, TaskState } from "@a2a-js/sdk";
import { EVENTS_LOG, type SessionValue, TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import { type Collection, isBatonError } from "@baton/session";
import { agentMessage, artifactOf, textPart, userMessage } from "./parts";
import { TaskFold } from "./task-fold";
import type { FoundTask } from "./task-index";

const SLICE = 1_000;
/** Rows of the transcript in which a task whose events are gone is looked for. */
const ROWS = 1_000;

/** A task as the log tells it. Null: the events of its first run are no longer kept. */
export async function foldTask(
	sessions: Collection<SessionValue>,
	{ sessionId, taskId, contextId, seq }: FoundTask,
): Promise<TaskFold | null> {
	const fold = new TaskFold({ taskId, contextId });
	let after = seq - 1;
	for (;;) {
		const slice = await sessions.read(sessionId, EVENTS_LOG, { after, limit: SLICE });
		if (slice.reset) return null;
		for (const entry of slice.entries) {
			fold.feed(entry);
			if (!fold.found || fold.ended) break;
		}
		if (!fold.found) return null;
		after = fold.lastSeq;
		if (fold.ended || after >= slice.last || slice.entries.length === 0) return fold;
	}
}

/** The task by its log, or by what the transcript kept of it, or as lost. */
export async function readTask(
	sessions: Collection<SessionValue>,
	found: FoundTask,
): Promise<Task> {
	try {
		const fold = await foldTask(sessions, found);
		return fold ? fold.task() : await taskOfTranscript(sessions, found);
	} catch (error) {
		if (isBatonError(error, "not_found")) return lostTask(found);
		throw error;
	}
}

/** An ended turn outlives its events as rows of the transcript. */
async function taskOfTranscript(
	sessions: Collection<SessionValue>,
	found: FoundTask,
): Promise<Task> {
	const { entries } = await sessions.tail(found.sessionId, TRANSCRIPT, ROWS);
	const rows = entries.map((entry) => entry.event as TranscriptRow);
	const said = rows.find(({ runId, role }) => runId === found.taskId && role === "assistant");
	if (!said) return lostTask(found);
	const asked = rows.find(({ runId, role }) => runId === found.taskId && role === "user");
	const { taskId, contextId } = found;
	const state = {
		success: TaskState.TASK_STATE_COMPLETED,
		error: TaskState.TASK_STATE_FAILED,
		aborted: TaskState.TASK_STATE_CANCELED,
	}[said.status ?? "success"];
	return {
		id: taskId,
		contextId,
		status: { state, message: undefined, timestamp: new Date(said.timestamp).toISOString() },
		artifacts: said.content ? [artifactOf("response-1", [textPart(said.content)])] : [],
		history: asked
			? [userMessage({ messageId: found.messageId, taskId, contextId }, [asked.content])]
			: [],
		metadata: undefined,
	};
}

/** A task that the store has lost has no end of its own. */
function lostTask({ taskId, contextId }: { taskId: string; contextId: string }): Task {
	const text = "The store no longer has this task. Send the message again.";
	const message = agentMessage({ messageId: `${taskId}-lost`, taskId, contextId }, [
		textPart(text),
	]);
	return {
		id: taskId,
		contextId,
		status: { state: TaskState.TASK_STATE_FAILED, message, timestamp: undefined },
		artifacts: [],
		history: [],
		metadata: undefined,
	};
}
