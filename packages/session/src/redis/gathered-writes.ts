import { Cluster, type Redis } from "ioredis";

/** More than this is not held back: a server that has work may begin with it. */
const HELD_BYTES = 16 * 1024;

/**
 * What is sent first in a turn of the event loop leaves at once, and all after it in one write. A write
 * of its own for each command is most of what a small one costs. A cluster's connections write as they
 * like.
 */
export class GatheredWrites {
	readonly #client: Redis | null;
	/** The connection that was written to in this turn of the loop, and whether it is held back. */
	#stream: Redis["stream"] | null = null;
	#isHeld = false;
	/** Whether nothing else was sent in this turn of the loop. */
	#isFirst = false;

	constructor(client: Redis | Cluster) {
		this.#client = client instanceof Cluster ? null : client;
	}

	/** Call it before a command is sent, or `several`, and `sent` right after. */
	begin(several = false): void {
		const stream = this.#client?.stream;
		if (!stream) return;
		this.#isFirst = this.#stream !== stream;
		if (this.#isFirst) this.#begin(stream);
		if (this.#isFirst && !several) return;
		if (!this.#isHeld) stream.cork();
		this.#isHeld = true;
	}

	sent(): void {
		const isMuch = this.#stream && this.#stream.writableLength > HELD_BYTES;
		if (this.#isFirst || isMuch) this.#release();
	}

	#begin(stream: Redis["stream"]): void {
		this.#release();
		this.#stream = stream;
		setImmediate(() => {
			if (this.#stream !== stream) return;
			this.#release();
			this.#stream = null;
		});
	}

	#release(): void {
		if (this.#isHeld) this.#stream?.uncork();
		this.#isHeld = false;
	}
}
