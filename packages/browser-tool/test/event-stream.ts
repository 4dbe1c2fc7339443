/** One server-sent event, or a comment. */
type SseItem = { id: string; data: unknown } | { comment: string };

/** Reads a server-sent stream as a page does, one item at a time. */
export class EventStream {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	readonly #decoder = new TextDecoder();
	#text = "";

	constructor(response: Response) {
		this.#reader = response.body!.getReader();
	}

	/** The next item; null when the stream has ended. */
	async next(): Promise<SseItem | null> {
		for (;;) {
			const end = this.#text.indexOf("\n\n");
			if (end >= 0) {
				const block = this.#text.slice(0, end);
				this.#text = this.#text.slice(end + 2);
				return parseBlock(block);
			}
			const { done, value } = await this.#reader.read();
			if (done) return null;
			this.#text += this.#decoder.decode(value, { stream: true });
		}
	}

	/** The next event, past comments. */
	async nextEvent(): Promise<{ id: string; data: unknown }> {
		for (;;) {
			const item = await this.next();
			if (!item) throw new Error("The stream has ended.");
			if ("data" in item) return item;
		}
	}

	close(): Promise<void> {
		return this.#reader.cancel();
	}
}

function parseBlock(block: string): SseItem {
	if (block.startsWith(":")) return { comment: block.slice(1).trim() };
	const fields = new Map(
		block.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]),
	);
	return { id: fields.get("id") ?? "", data: JSON.parse(fields.get("data")!) };
}
