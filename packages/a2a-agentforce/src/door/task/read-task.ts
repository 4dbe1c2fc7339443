import { type Task, TaskState } from "@a2a-js/sdk";
import { EVENTS_LOG, type SessionValue } from "@baton/agent";
import { type Collection, isBatonError, type LogEntry } from "@baton/session";
import { keptEvents } from "./kept-events";
import { agentMessage, textPart } from "./parts";
import { mentionsRun } from "./task-event";
import { TaskFold } from "./task-fold";
import type { FoundTask } from "./task-index";

const SLICE = 1_000;

interface FoldOptions {
	/** Stops where a snapshot is full: who follows from there misses nothing. */
	untilCut?: boolean;
}

/**
 * A task as the log tells it; what the log no longer has, the transcript tells. Null: nothing does. Of
 * a long text no more is held than a snapshot has.
 */
export async function foldTask(
	sessions: Collection<SessionValue>,
	found: FoundTask,
	{ untilCut = false }: FoldOptions = {},
): Promise<TaskFold | null> {
	const { sessionId, taskId, contextId, seq } = found;
	let fold = new TaskFold({ taskId, contextId });
	let restored: RestoredRuns | null = null;
	let after = seq - 1;
	for (;;) {
		const slice = await sessions.read(sessionId, EVENTS_LOG, { after, limit: SLICE });
		if (slice.reset) {
			fold = new TaskFold({ taskId, contextId });
			for (const event of await keptEvents(sessions, found)) fold.restore(seq, event);
			fold.passOver(slice.reset.first - 1);
			restored = new RestoredRuns(fold);
		}
		for (const entry of slice.entries) {
			fold.feed(entry);
			restored?.look(entry);
			if (!fold.found || fold.ended || (untilCut && fold.isCut)) break;
		}
		if (!fold.found) return null;
		if (untilCut && fold.isCut) return fold;
		// Nobody reads these pieces: snapshots have what was said.
		fold.takePieces();
		after = fold.lastSeq;
		if (fold.ended || after >= slice.last || slice.entries.length === 0) {
			restored?.end(found);
			return fold;
		}
	}
}

/** Runs that the transcript knows without an end: the log has them, or they were dropped. */
class RestoredRuns {
	readonly #fold: TaskFold;
	readonly #missing: Set<string>;

	constructor(fold: TaskFold) {
		this.#fold = fold;
		this.#missing = new Set(fold.openRuns);
	}

	look(entry: LogEntry): void {
		for (const runId of this.#missing) {
			if (mentionsRun(entry, [runId])) this.#missing.delete(runId);
		}
	}

	/** The log was read to its end: what it does not have had ended before. */
	end({ seq }: FoundTask): void {
		const { lastSeq } = this.#fold;
		for (const runId of this.#missing) {
			this.#fold.restore(seq, { type: "result", run_id: runId, status: "dropped" });
		}
		this.#fold.passOver(lastSeq);
	}
}

/** The task by its log, or by what the transcript kept of it, or as lost. */
export async function readTask(
	sessions: Collection<SessionValue>,
	found: FoundTask,
): Promise<Task> {
	try {
		return (await foldTask(sessions, found))?.task() ?? lostTask(found);
	} catch (error) {
		if (isBatonError(error, "not_found")) return lostTask(found);
		throw error;
	}
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
