import { Cluster, type Redis } from "ioredis";

/** More than this is not held back: a server that has work may begin with it. */
const HELD_BYTES = 16 * 1024;

/**
 * Commands that are sent in one turn of the event loop leave in one write. A write of its own for
 * each is most of what a small command costs. A cluster's connections write as they like.
 */
export class GatheredWrites {
	readonly #client: Redis | null;
	#held: Redis["stream"] | null = null;

	constructor(client: Redis | Cluster) {
		this.#client = client instanceof Cluster ? null : client;
	}

	/** Call it before a command is sent, and `sent` right after. */
	begin(): void {
		const stream = this.#client?.stream;
		if (!stream || this.#held === stream) return;
		this.#release();
		this.#held = stream;
		stream.cork();
		setImmediate(() => {
			if (this.#held === stream) this.#release();
		});
	}

	sent(): void {
		if (this.#held && this.#held.writableLength > HELD_BYTES) this.#release();
	}

	#release(): void {
		this.#held?.uncork();
		this.#held = null;
	}
}
