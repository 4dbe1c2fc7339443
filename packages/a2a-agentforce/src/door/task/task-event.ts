import type { LogEntry } from "@baton/session";

/** The fields of stored events that make a task. All other fields are left alone. */
export interface TaskEvent {
	type?: string;
	run_id?: string;
	content?: string;
	document?: string;
	idempotency_key?: string;
	role?: string;
	delta?: boolean;
	requestId?: string;
	message?: string;
	status?: string;
	notice?: string;
	timestamp?: string | number;
	error?: { type?: string; message?: string; retryable?: boolean };
	[field: string]: unknown;
}

/** Whether an entry can be of one of these runs. Looks at the text: most entries stay unparsed. */
export function mentionsRun(entry: LogEntry, runIds: Iterable<string>): boolean {
	for (const runId of runIds) {
		if (entry.json.includes(`"run_id":"${runId}"`)) return true;
	}
	return false;
}

/** Whether an entry may continue this task with a turn of its own. */
export function mentionsReply(entry: LogEntry, taskId: string): boolean {
	return (
		entry.json.startsWith('{"type":"input_admitted"') &&
		entry.json.includes(`"a2a-reply:${taskId}:`)
	);
}

export function timeOf(event: TaskEvent): string | undefined {
	const { timestamp } = event;
	if (typeof timestamp === "string") return timestamp;
	return typeof timestamp === "number" ? new Date(timestamp).toISOString() : undefined;
}
