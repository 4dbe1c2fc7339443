import type { LogEntry } from "@baton/session";

/** A stored event as a line of the wire, with its number. The text is passed on as it is stored. */
export function lineOf(entry: LogEntry): string {
	return `{"seq":${entry.seq},${entry.json.slice(1)}\n`;
}

/** Whether a stored event is of this run. Looks at the text: in a JSON string a quote is escaped. */
export function isOfRun(entry: LogEntry, runId: string): boolean {
	return entry.json.includes(`"run_id":"${runId}"`);
}

export function isResult(entry: LogEntry): boolean {
	return entry.json.startsWith('{"type":"result"');
}

export function isInput(entry: LogEntry): boolean {
	return entry.json.startsWith('{"type":"input_admitted"');
}

export function runIdOf(entry: LogEntry): string | undefined {
	return (entry.event as { run_id?: string }).run_id;
}
