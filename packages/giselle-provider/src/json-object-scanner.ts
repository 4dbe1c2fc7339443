/** A cut line is held up to this many characters; a longer one is dropped as junk. */
const MAX_HELD = 8 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BYTE_ORDER_MARK = 0xfeff;

interface ScannedObject {
	json: string;
	value: Record<string, unknown>;
}

/**
 * Finds JSON objects in a text that comes in pieces. An object is given out when it closes, newline
 * or not. Whatever is no object is junk up to the next newline: there the scanner finds its footing
 * again, so one stray brace or quote costs one line. Each character is looked at once.
 */
export class JsonObjectScanner {
	#depth = 0;
	#inString = false;
	#escaped = false;
	/** In a line that is known to be junk. */
	#skipping = false;
	/** The open object, as far as it came in earlier pieces. */
	#held: string[] = [];
	#heldLength = 0;
	/** Lines, or parts of lines, that were no JSON object. */
	junk = 0;

	push(text: string): ScannedObject[] {
		const found: ScannedObject[] = [];
		let at = 0;
		while (at < text.length) {
			if (this.#depth > 0) at = this.#scanInside(text, at, at, found);
			else if (this.#skipping) at = this.#skipLine(text, at);
			else at = this.#scanOutside(text, at, found);
		}
		return found;
	}

	/** What must be put before the next text for a new scanner to go on here. */
	get rest(): string {
		if (this.#depth > 0) return this.#held.join("");
		// One character is enough to make a new scanner skip the same line.
		return this.#skipping ? "?" : "";
	}

	/** Whether the text ended inside an object. */
	get isCut(): boolean {
		return this.#depth > 0;
	}

	#skipLine(text: string, at: number): number {
		const end = text.indexOf("\n", at);
		if (end === -1) return text.length;
		this.#skipping = false;
		return end + 1;
	}

	#scanOutside(text: string, at: number, found: ScannedObject[]): number {
		const unit = text.charCodeAt(at);
		if (unit !== OPEN) {
			if (unit <= 0x20 || unit === BYTE_ORDER_MARK) return at + 1;
			this.#dropLine();
			return at;
		}
		const end = text.indexOf("\n", at);
		if (end !== -1) {
			// Almost every line is whole and one object: then the JSON parser has said so already.
			const stop = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
			const json = text.slice(at, stop);
			const value = parse(json);
			if (value !== null) {
				found.push({ json, value });
				return end + 1;
			}
		}
		this.#depth = 1;
		return this.#scanInside(text, at, at + 1, found);
	}

	/** Goes on in the open object, whose part in this text begins at `start`. */
	#scanInside(text: string, start: number, from: number, found: ScannedObject[]): number {
		for (let at = from; at < text.length; at++) {
			const unit = text.charCodeAt(at);
			if (unit === NEWLINE) {
				// One line is one event: an object that is open here never closes.
				this.#reset();
				this.junk++;
				return at + 1;
			}
			if (this.#inString) {
				if (this.#escaped) this.#escaped = false;
				else if (unit === BACKSLASH) this.#escaped = true;
				else if (unit === QUOTE) this.#inString = false;
			} else if (unit === QUOTE) this.#inString = true;
			else if (unit === OPEN) this.#depth++;
			else if (unit === CLOSE && --this.#depth === 0) {
				const json = this.#held.join("") + text.slice(start, at + 1);
				this.#reset();
				const value = parse(json);
				if (value === null) this.#dropLine();
				else found.push({ json, value });
				return at + 1;
			}
		}
		this.#hold(text.slice(start));
		return text.length;
	}

	#hold(piece: string): void {
		this.#held.push(piece);
		this.#heldLength += piece.length;
		if (this.#heldLength <= MAX_HELD) return;
		this.#reset();
		this.#dropLine();
	}

	#dropLine(): void {
		this.junk++;
		this.#skipping = true;
	}

	#reset(): void {
		this.#depth = 0;
		this.#inString = false;
		this.#escaped = false;
		this.#held = [];
		this.#heldLength = 0;
	}
}

/** Only called with text that begins with a brace, so what parses is an object. */
function parse(json: string): Record<string, unknown> | null {
	try {
		return JSON.parse(json) as Record<string, unknown>;
	} catch {
		return null;
	}
}
