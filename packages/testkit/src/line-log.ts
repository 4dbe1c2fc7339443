import { EventEmitter, once } from "node:events";

/** Lines that came and will come; each reader goes through them from where it likes. */
export class LineLog implements AsyncIterable<string> {
	readonly #lines: string[] = [];
	readonly #changes = new EventEmitter().setMaxListeners(0);
	#ended = false;

	push(line: string): void {
		this.#lines.push(line);
		this.#changes.emit("change");
	}

	end(): void {
		this.#ended = true;
		this.#changes.emit("change");
	}

	[Symbol.asyncIterator](): AsyncIterator<string> {
		return this.from(0);
	}

	/** The lines from `index` on, until the end of the log or until `signal` aborts. */
	async *from(index: number, signal?: AbortSignal): AsyncGenerator<string> {
		for (let next = index; !signal?.aborted; ) {
			const line = this.#lines[next];
			if (line !== undefined) {
				next++;
				yield line;
			} else if (this.#ended) {
				return;
			} else {
				await once(this.#changes, "change", { signal }).catch(() => {});
			}
		}
	}
}
