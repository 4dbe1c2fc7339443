/** Joining in groups keeps single-character pieces from becoming a heap object each. */
const GROUP = 1024;

/** Text that waits for the rest of its line. Nothing is copied until the line is taken. */
export class TextBuffer {
	#pieces: string[] = [];
	#joined = "";
	#length = 0;

	get length(): number {
		return this.#length;
	}

	append(text: string): void {
		this.#length += text.length;
		if (this.#pieces.push(text) >= GROUP) {
			this.#joined += this.#pieces.join("");
			this.#pieces = [];
		}
	}

	/** Returns what is held and forgets it. */
	take(): string {
		const text = this.#joined + this.#pieces.join("");
		this.#pieces = [];
		this.#joined = "";
		this.#length = 0;
		return text;
	}
}
