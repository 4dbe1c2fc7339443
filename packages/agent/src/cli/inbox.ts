/**
 * What several sources say, in order, for one reader. Nothing is dropped: a source that is told the
 * inbox is full stops until it is drained.
 */
export class Inbox<T> implements AsyncIterable<T> {
	readonly #items: T[] = [];
	readonly #capacity: number;
	#end: { error?: unknown } | undefined;
	#wake: (() => void) | undefined;
	/** Called when the reader has taken everything. */
	onDrained: () => void = () => {};

	constructor(capacity: number) {
		this.#capacity = capacity;
	}

	get isFull(): boolean {
		return this.#items.length >= this.#capacity;
	}

	push(item: T): void {
		if (this.#end) return;
		this.#items.push(item);
		this.#wake?.();
	}

	/** No more items. With an error, the reader gets it after the items that came before. */
	end(error?: unknown): void {
		this.#end ??= error === undefined ? {} : { error };
		this.#wake?.();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined, undefined> {
		for (;;) {
			const batch = this.#items.splice(0);
			yield* batch;
			if (this.#items.length > 0) continue;
			if (this.#end) break;
			this.onDrained();
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
		if ("error" in this.#end) throw this.#end.error;
		return undefined;
	}
}
