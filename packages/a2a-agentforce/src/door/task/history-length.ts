import type { Task } from "@a2a-js/sdk";

/** Undefined: all of it. 0: none. Else the newest so many. */
export function withHistoryLength(task: Task, length: number | undefined): Task {
	if (length === undefined) return task;
	return { ...task, history: length > 0 ? task.history.slice(-length) : [] };
}
