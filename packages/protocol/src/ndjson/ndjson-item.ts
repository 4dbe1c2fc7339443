/** Why a line was not taken as an event. */
export type JunkReason =
	| "not_json" // the line does not parse
	| "not_object" // it parses, to something that is no JSON object
	| "too_long" // the line is over the cap; the rest of it is skipped
	| "truncated"; // the input ended inside this line

/** One line that is a JSON object. */
export interface NdjsonObject {
	readonly kind: "object";
	readonly value: Record<string, unknown>;
	/**
	 * The exact text of the line, without its line end, to pass on without encoding it again.
	 * It may share memory with the chunk it came in: copy it to keep it for long.
	 */
	readonly line: string;
}

/** One line that was skipped. Later lines are unharmed. */
export interface NdjsonJunk {
	readonly kind: "junk";
	readonly reason: JunkReason;
	/** The start of the line, at most 200 characters. */
	readonly line: string;
}

export type NdjsonItem = NdjsonObject | NdjsonJunk;

const EXCERPT_LENGTH = 200;

export function junk(reason: JunkReason, line: string): NdjsonJunk {
	return { kind: "junk", reason, line: excerpt(line) };
}

function excerpt(line: string): string {
	// A slice keeps its whole parent in memory in most engines, and the parent may be a line of many
	// megabytes that was just refused. Going through JSON makes a string of its own.
	return JSON.parse(JSON.stringify(line.slice(0, EXCERPT_LENGTH))) as string;
}

/** Enough UTF-8 bytes for every excerpt, however wide its characters are. */
export const EXCERPT_BYTES = EXCERPT_LENGTH * 4;
