import { type JunkReason, junk, type NdjsonItem } from "./ndjson-item";

const CARRIAGE_RETURN = 0x0d;
const OPEN_BRACE = 0x7b;

/** Judges one line without its "\n". A blank line is a heartbeat and no item. */
export function parseLine(rawLine: string, whenBroken: JunkReason): NdjsonItem | null {
	const isCrlf = rawLine.charCodeAt(rawLine.length - 1) === CARRIAGE_RETURN;
	const line = isCrlf ? rawLine.slice(0, -1) : rawLine;
	// What starts with a brace and parses is an object; all else is rare and looked at closely.
	const startsAsObject = line.charCodeAt(0) === OPEN_BRACE;
	if (!startsAsObject && line.trim() === "") return null;
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return junk(whenBroken, line);
	}
	if (startsAsObject || isObject(value)) {
		return { kind: "object", value: value as Record<string, unknown>, line };
	}
	return junk("not_object", line);
}

function isObject(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
