import { Cluster, type Redis } from "ioredis";

/** More than this is not held back: a server that has work may begin with it. */
const HELD_BYTES = 16 * 1024;

/**
 * The first command of a turn of the event loop leaves at once, and those after it in one write. A write
 * of its own for each is most of what a small command costs. A cluster's connections write as they like.
 */
export class GatheredWrites {
	readonly #client: Redis | null;
	/** The connection that was written to in this turn of the loop, and whether it is held back. */
	#stream: Redis["stream"] | null = null;
	#isHeld = false;

	constructor(client: Redis | Cluster) {
		this.#client = client instanceof Cluster ? null : client;
	}

	/** Call it before a command is sent, and `sent` right after. */
	begin(): void {
		const stream = this.#client?.stream;
		if (!stream) return;
		if (this.#stream === stream) {
			if (!this.#isHeld) stream.cork();
			this.#isHeld = true;
			return;
		}
		this.#release();
		this.#stream = stream;
		setImmediate(() => {
			if (this.#stream !== stream) return;
			this.#release();
			this.#stream = null;
		});
	}

	sent(): void {
		if (this.#isHeld && this.#stream && this.#stream.writableLength > HELD_BYTES) this.#release();
	}

	#release(): void {
		if (this.#isHeld) this.#stream?.uncork();
		this.#isHeld = false;
	}
}
