import { isUtf8 } from "node:buffer";
import type { Json } from "../json";
import { LogEntry } from "../log-entry";

/*
 * A log file: line n is event n, bare JSON. Every line of a batch but its last begins with one space,
 * which is nothing to a JSON reader and says here: this batch goes on. So a batch is whole exactly
 * when a line without the space follows, and no torn first line passes for a batch of one.
 */

export const NEWLINE = 0x0a;
export const GOES_ON = 0x20;

export function encodeBatch(lines: readonly string[]): Buffer {
	const last = lines.length - 1;
	if (last === 0) return Buffer.from(`${lines[0]}\n`);
	return Buffer.from(` ${lines.slice(0, last).join("\n ")}\n${lines[last]}\n`);
}

export interface BadLine {
	seq: number;
	reason: "bad-line" | "torn-line" | "incomplete-batch";
	bytes: Buffer;
}

/** Entries of consecutive lines. A line that is not JSON keeps its number and is handed to `onBad`. */
export function decodeLines(
	firstSeq: number,
	lines: readonly Buffer[],
	onBad: (line: BadLine) => void,
): LogEntry[] {
	return lines.map((bytes, i) => {
		const seq = firstSeq + i;
		const parsed = parseLine(bytes);
		if (parsed) return new LogEntry(seq, parsed.json, parsed.event);
		onBad({ seq, reason: "bad-line", bytes });
		return new LogEntry(seq, JSON.stringify({ type: "log.corrupt", line: seq }));
	});
}

/** True when the text is one whole JSON value that could not go on: an object, an array, a string. */
export function isClosedValue(bytes: Buffer): boolean {
	const start = String.fromCharCode(bytes[0] ?? 0);
	return '{["'.includes(start) && parseLine(bytes) !== null;
}

function parseLine(bytes: Buffer): { json: string; event: Json } | null {
	if (!isUtf8(bytes)) return null;
	const json = bytes.toString("utf8").trim();
	try {
		return { json, event: JSON.parse(json) as Json };
	} catch {
		return null;
	}
}
