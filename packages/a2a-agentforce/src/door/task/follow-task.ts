import type { StreamResponse, Task } from "@a2a-js/sdk";
import type { SessionValue, Turns } from "@baton/agent";
import type { Collection } from "@baton/session";
import { foldTask, readTask } from "./read-task";
import type { TaskFold } from "./task-fold";
import type { FoundTask } from "./task-index";

export interface TaskSource {
	turns: Turns;
	sessions: Collection<SessionValue>;
}

/** Where following stops: at the end alone, or also where the task waits for its caller. */
export type Until = "ended" | "resting";

/**
 * What happens to a task after what the fold has seen: every later event once, in order, and the end.
 * Text that is ready together comes together. A fold that has seen nothing yet begins with the task
 * itself, as it was when it came.
 */
export async function* followTask(
	{ turns, sessions }: TaskSource,
	found: FoundTask,
	fold: TaskFold,
	{ until, signal }: { until: Until; signal: AbortSignal },
): AsyncGenerator<StreamResponse, TaskFold | null, undefined> {
	const over = () => (until === "ended" ? fold.ended : fold.resting);
	if (fold.found && over()) return fold;
	const after = Math.max(fold.lastSeq, found.seq - 1);
	for await (const { entries, reset } of turns.follow(found.sessionId, { after, signal })) {
		if (reset) return yield* followAnew({ turns, sessions }, found, { until, signal });
		for (const entry of entries) {
			const isNew = !fold.found;
			const updates = fold.feed(entry);
			if (isNew && fold.found) yield taskResponse(fold.startFromSnapshot());
			else yield* updates;
			if (fold.ended) return fold;
		}
		yield* fold.takePieces();
		if (fold.found && over()) return fold;
	}
	return null;
}

/** The log was cut or changed under the reader: it gets the task as it is now, then what follows. */
async function* followAnew(
	source: TaskSource,
	found: FoundTask,
	options: { until: Until; signal: AbortSignal },
): AsyncGenerator<StreamResponse, TaskFold | null, undefined> {
	const fold = await foldTask(source.sessions, found, { untilCut: true });
	yield taskResponse(fold?.startFromSnapshot() ?? (await readTask(source.sessions, found)));
	if (!fold) return null;
	return yield* followTask(source, found, fold, options);
}

export function taskResponse(value: Task): StreamResponse {
	return { payload: { $case: "task", value } };
}
