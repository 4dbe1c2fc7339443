import type { Socket } from "node:net";

/** How bytes pass in one direction, for all connections of a proxy. Shared and changed while they run. */
export interface LaneSettings {
	held: boolean;
	delayMs: number;
}

/** One direction of one connection: bytes wait here while held or delayed, and keep their order. */
export class TcpLane {
	readonly #queue: { chunk: Buffer; due: number }[] = [];
	#timer: NodeJS.Timeout | undefined;
	#ended = false;

	constructor(
		readonly to: Socket,
		readonly settings: LaneSettings,
	) {}

	push(chunk: Buffer): void {
		this.#queue.push({ chunk, due: performance.now() + this.settings.delayMs });
		this.flush();
	}

	/** Ends the receiving side once everything queued has passed. */
	end(): void {
		this.#ended = true;
		this.flush();
	}

	flush(): void {
		clearTimeout(this.#timer);
		while (!this.settings.held) {
			const first = this.#queue[0];
			if (!first) {
				if (this.#ended) this.to.end();
				return;
			}
			const wait = first.due - performance.now();
			if (wait > 0) {
				this.#timer = setTimeout(() => this.flush(), wait);
				return;
			}
			this.#queue.shift();
			this.to.write(first.chunk);
		}
	}

	discard(): void {
		clearTimeout(this.#timer);
		this.#queue.length = 0;
	}
}
