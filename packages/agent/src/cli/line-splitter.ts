const DEFAULT_MAX = 2_000;

/** Lines of text out of pieces of bytes. A line over the cap is cut, its rest is dropped. */
export class LineSplitter {
	readonly #decoder = new TextDecoder();
	readonly #max: number;
	#held = "";

	constructor(max = DEFAULT_MAX) {
		this.#max = max;
	}

	push(chunk: Uint8Array): string[] {
		const lines = (this.#held + this.#decoder.decode(chunk, { stream: true })).split(/\r\n|\n/);
		this.#held = lines.pop()!.slice(0, this.#max);
		return lines.map((line) => this.#cut(line)).filter((line) => line.trim() !== "");
	}

	end(): string[] {
		const rest = this.#held + this.#decoder.decode();
		this.#held = "";
		return rest.trim() === "" ? [] : [this.#cut(rest)];
	}

	#cut(line: string): string {
		return line.slice(0, this.#max);
	}
}
