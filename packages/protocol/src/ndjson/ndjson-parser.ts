import { ByteBuffer } from "./byte-buffer";
import { EXCERPT_BYTES, type JunkReason, junk, type NdjsonItem } from "./ndjson-item";
import { parseLine } from "./parse-line";
import { TextBuffer } from "./text-buffer";
import { utf8Length } from "./utf8-length";

export const DEFAULT_MAX_LINE_BYTES = 8 * 1024 * 1024;

const MIN_MAX_LINE_BYTES = 1024;

export interface NdjsonParserOptions {
	/** The longest line taken, in UTF-8 bytes without its "\n". At least 1,024; default 8 MiB. */
	maxLineBytes?: number;
}

/**
 * Whole lines are decoded about this many bytes at a time. One call per line costs more; and one
 * wide character makes the whole decoded block two bytes per character, slower to parse.
 */
const DECODE_BLOCK = 4096;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * A push parser for newline-delimited JSON objects.
 *
 * The items depend on the input alone, never on where it was cut; the work is linear in it. One
 * line is one event: a line that is no JSON object becomes a `junk` item and harms nothing after
 * it. Blank lines (heartbeats), CRLF and a byte order mark at the start are no items.
 *
 * Only the unfinished last line is held, and never more of it than the cap. Bytes are held
 * undecoded, so a cut inside a character needs no care and each byte is decoded once.
 */
export class NdjsonParser {
	readonly #maxLineBytes: number;
	// Never used with `stream: true`: it gets whole lines alone, so there is no state to keep.
	readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	readonly #heldBytes = new ByteBuffer();
	readonly #heldText = new TextBuffer();
	#isFirstLine = true;
	/** Inside a line that was already reported as too long. */
	#isSkipping = false;

	constructor(options: NdjsonParserOptions = {}) {
		this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
		// Below this, what a report shows of a line would depend on how the input was cut.
		if (!(this.#maxLineBytes >= MIN_MAX_LINE_BYTES)) {
			throw new RangeError(
				`maxLineBytes must be at least ${MIN_MAX_LINE_BYTES}, got ${this.#maxLineBytes}`,
			);
		}
	}

	/** Takes the next piece of the input and returns what it completes, in order. */
	push(chunk: Uint8Array | string): NdjsonItem[] {
		const items: NdjsonItem[] = [];
		if (typeof chunk === "string") this.#pushText(chunk, items);
		else this.#pushBytes(chunk, items);
		return items;
	}

	/**
	 * Ends the input. A last line without a newline is an object if it is whole, else `truncated`.
	 * The parser is then as new.
	 */
	end(): NdjsonItem[] {
		const items: NdjsonItem[] = [];
		const rest = this.#heldBytes.length > 0 ? this.#takeHeldBytes() : this.#heldText.take();
		if (rest !== "") this.#parseLine(rest, "truncated", items);
		this.#isFirstLine = true;
		this.#isSkipping = false;
		return items;
	}

	#pushBytes(chunk: Uint8Array, items: NdjsonItem[]): void {
		const held = this.#heldBytes;
		if (this.#heldText.length > 0) held.append(new TextEncoder().encode(this.#heldText.take()));
		let start = 0;
		if (this.#isSkipping || held.length > 0) {
			const end = chunk.indexOf(NEWLINE);
			if (end === -1) {
				if (!this.#isSkipping) this.#holdBytes(chunk, items);
				return;
			}
			if (!this.#isSkipping) this.#holdBytes(chunk.subarray(0, end), items);
			if (!this.#isSkipping) this.#parseLine(this.#takeHeldBytes(), "not_json", items);
			this.#isSkipping = false;
			start = end + 1;
		}
		start = this.#parseByteLines(chunk, start, items);
		if (start < chunk.length) this.#holdBytes(start > 0 ? chunk.subarray(start) : chunk, items);
	}

	#pushText(chunk: string, items: NdjsonItem[]): void {
		const held = this.#heldText;
		if (this.#heldBytes.length > 0) held.append(this.#takeHeldBytes());
		let start = 0;
		if (this.#isSkipping || held.length > 0) {
			const end = chunk.indexOf("\n");
			if (end === -1) {
				if (!this.#isSkipping) this.#holdText(chunk, items);
				return;
			}
			if (!this.#isSkipping) this.#parseLine(held.take() + chunk.slice(0, end), "not_json", items);
			this.#isSkipping = false;
			start = end + 1;
		}
		start = this.#parseLines(chunk, start, items);
		if (start < chunk.length) this.#holdText(start > 0 ? chunk.slice(start) : chunk, items);
	}

	/** Parses every line that ends in `chunk` at or after `start`; returns where the rest begins. */
	#parseByteLines(chunk: Uint8Array, start: number, items: NdjsonItem[]): number {
		const end = chunk.lastIndexOf(NEWLINE) + 1;
		let blockStart = start;
		while (blockStart < end) {
			let blockEnd = end;
			if (end - blockStart > DECODE_BLOCK) {
				blockEnd = chunk.lastIndexOf(NEWLINE, blockStart + DECODE_BLOCK - 1) + 1;
				// This line alone is longer than a block.
				if (blockEnd <= blockStart)
					blockEnd = chunk.indexOf(NEWLINE, blockStart + DECODE_BLOCK) + 1;
			}
			this.#parseLines(this.#decoder.decode(chunk.subarray(blockStart, blockEnd)), 0, items);
			blockStart = blockEnd;
		}
		return blockStart;
	}

	/** Parses every line that ends in `text` at or after `start`; returns where the rest begins. */
	#parseLines(text: string, start: number, items: NdjsonItem[]): number {
		let lineStart = start;
		for (;;) {
			const end = text.indexOf("\n", lineStart);
			if (end === -1) return lineStart;
			if (end > lineStart) this.#parseLine(text.slice(lineStart, end), "not_json", items);
			lineStart = end + 1;
		}
	}

	#parseLine(rawLine: string, whenBroken: JunkReason, items: NdjsonItem[]): void {
		let line = rawLine;
		const isTooLong = this.#isTooLong(line);
		if (this.#isFirstLine) {
			this.#isFirstLine = false;
			line = withoutByteOrderMark(line);
		}
		const item = isTooLong ? junk("too_long", line) : parseLine(line, whenBroken);
		if (item !== null) items.push(item);
	}

	#isTooLong(line: string): boolean {
		// One UTF-16 unit is one to three bytes, so almost every line is judged by its length.
		const max = this.#maxLineBytes;
		return line.length * 3 > max && (line.length > max || utf8Length(line) > max);
	}

	#holdBytes(rest: Uint8Array, items: NdjsonItem[]): void {
		const held = this.#heldBytes;
		if (held.length + rest.length <= this.#maxLineBytes) {
			held.append(rest);
			return;
		}
		if (held.length < EXCERPT_BYTES) held.append(rest.subarray(0, EXCERPT_BYTES));
		const start = this.#decoder.decode(held.view().subarray(0, EXCERPT_BYTES));
		held.clear();
		this.#skipLine(start, items);
	}

	#holdText(rest: string, items: NdjsonItem[]): void {
		const held = this.#heldText;
		held.append(rest);
		// In UTF-16 units here: enough to bound memory. A whole line is measured in bytes.
		if (held.length > this.#maxLineBytes) this.#skipLine(held.take(), items);
	}

	/** Reports the line at once, and not again when it ends. */
	#skipLine(start: string, items: NdjsonItem[]): void {
		items.push(junk("too_long", this.#isFirstLine ? withoutByteOrderMark(start) : start));
		this.#isFirstLine = false;
		this.#isSkipping = true;
	}

	#takeHeldBytes(): string {
		const text = this.#decoder.decode(this.#heldBytes.view());
		this.#heldBytes.clear();
		return text;
	}
}

function withoutByteOrderMark(line: string): string {
	return line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line;
}
