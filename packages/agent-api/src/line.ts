import type { LogEntry } from "@baton/session";

/** A stored event with its number. The text is passed on as it is stored. */
export function numbered(entry: LogEntry): string {
	return `{"seq":${entry.seq},${entry.json.slice(1)}`;
}

/** The same as a line of the wire. */
export function lineOf(entry: LogEntry): string {
	return `${numbered(entry)}\n`;
}

/**
 * Tells whether stored events are of a run. Looks at the text: in a JSON string a quote is escaped. The
 * run's id is the last field of what agents say, which is most of a log.
 */
export function belongsTo(runId: string): (entry: LogEntry) => boolean {
	const field = `"run_id":"${runId}"`;
	const last = `${field}}`;
	return ({ json }) => json.endsWith(last) || json.includes(field);
}

/** Most of a log, and nothing that begins, stops or ends a turn. */
export function isText(entry: LogEntry): boolean {
	return entry.json.startsWith('{"type":"message"');
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
