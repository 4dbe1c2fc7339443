import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { encodeFrame, type Frame } from "../chat/frame";
import { CLOSE } from "./close-codes";
import type { GatewayLimits } from "./limits";

/** Frames are handed to the socket in portions of about this size. */
const PORTION = 256 * 1024;
/** How long a closed socket may take to read what it was sent, the reason included. */
const CLOSING_MS = 10_000;
const REFUSING_MS = 500;

/**
 * One socket. It knows how much waits to be read at the other end: who has more to send waits for
 * `drained`, and while it is not, nothing more is read from it either.
 */
export class Connection {
	readonly ws: WebSocket;
	readonly address: string;
	/** For whom wrong tokens are counted: the address, and whether it is a page. */
	readonly caller: string;
	readonly limits: GatewayLimits;
	readonly #socket: Socket;
	/** Whose it is; null until it has authenticated. */
	owner: string | null = null;
	/** Which token it came with, by the token's version. */
	tokenVersion = "";
	/** It asked to be told of stopped turns by `chat.aborted`. */
	namesAborted = false;
	/** When it came, last showed life, and since when its buffer is full, by `performance.now()`. */
	readonly openedAt = performance.now();
	seenAt = this.openedAt;
	pings = 0;
	fullSince: number | null = null;
	/** The most that waited to be read since the buffer is full. */
	#fullBytes = 0;
	#waiting = 0;
	#onDrained: (() => void)[] | null = null;

	constructor(
		ws: WebSocket,
		socket: Socket,
		from: { address: string; caller: string },
		limits: GatewayLimits,
	) {
		this.ws = ws;
		this.#socket = socket;
		this.address = from.address;
		this.caller = from.caller;
		this.limits = limits;
	}

	get isOpen(): boolean {
		return this.ws.readyState === this.ws.OPEN;
	}

	showsLife(): void {
		this.seenAt = performance.now();
		this.pings = 0;
	}

	send(value: unknown): void {
		this.sendFrame(encodeFrame(value));
		this.#stopReading();
	}

	sendFrame(frame: Frame): void {
		if (this.isOpen) this.ws.send(frame, { binary: false });
	}

	/**
	 * Sends frames in order, as fast as they are read, and while they are wanted: a reader may change
	 * its mind in between. True: they were not read at once.
	 */
	async sendFrames(frames: readonly Frame[], isWanted: () => boolean): Promise<boolean> {
		let waited = false;
		for (let next = 0; next < frames.length && this.isOpen && isWanted(); ) {
			// Corked, many small frames leave in one write.
			this.#socket.cork();
			for (let bytes = 0; next < frames.length && bytes < PORTION; next++) {
				const frame = frames[next]!;
				bytes += frame.length;
				this.sendFrame(frame);
			}
			this.#socket.uncork();
			const drained = this.drained();
			if (!drained) continue;
			waited = true;
			await drained;
		}
		return waited;
	}

	/** Undefined while there is room; otherwise resolves when there is, or when the socket is gone. */
	drained(): Promise<void> | undefined {
		if (!this.isOpen || this.ws.bufferedAmount < this.limits.bufferBytes) return undefined;
		this.fullSince ??= performance.now();
		this.#fullBytes = Math.max(this.#fullBytes, this.ws.bufferedAmount);
		if (!this.#onDrained) {
			this.#onDrained = [];
			this.#socket.once("drain", () => this.#drain());
		}
		const waiting = this.#onDrained;
		return new Promise((resolve) => waiting.push(resolve));
	}

	/** One more request waits here. Too many, and the next ones wait in the network. */
	requestCame(): void {
		this.#waiting++;
		if (this.#waiting >= this.limits.pendingRequests) this.ws.pause();
	}

	requestDone(): void {
		this.#waiting--;
		this.#readOn();
	}

	close(code: number, reason: string): void {
		this.ws.close(code, reason);
		// Its own goodbye is read; requests are no longer heard.
		this.ws.resume();
		// What is not read by then will not be: the cursor of the reader knows where to go on.
		setTimeout(() => this.ws.terminate(), CLOSING_MS).unref();
	}

	/** Closes it and reads no more of what it sends. */
	refuse(code: number, reason: string): void {
		this.ws.close(code, reason);
		this.ws.pause();
		setTimeout(() => this.ws.terminate(), REFUSING_MS).unref();
	}

	/** The socket is gone: nobody waits any longer. */
	gone(): void {
		this.#drain();
	}

	/**
	 * Called now and then: ends a reader that stands still. How far one frame was read cannot be seen,
	 * so more that waits has more time.
	 */
	checkSlow(now: number): void {
		if (this.fullSince === null) return;
		const { slowMs, bufferBytes } = this.limits;
		const allowedMs = slowMs * Math.max(1, this.#fullBytes / bufferBytes);
		if (now - this.fullSince < allowedMs) return;
		this.fullSince = null;
		this.close(CLOSE.slowReader, "Too slow: come back and subscribe after your last seq.");
	}

	#stopReading(): void {
		const drained = this.drained();
		if (!drained) return;
		this.ws.pause();
		void drained.then(() => this.#readOn());
	}

	#readOn(): void {
		if (!this.ws.isPaused || this.#waiting >= this.limits.pendingRequests) return;
		if (this.fullSince === null) this.ws.resume();
	}

	#drain(): void {
		this.fullSince = null;
		this.#fullBytes = 0;
		// Who has read all of it is there.
		this.showsLife();
		const waiting = this.#onDrained;
		this.#onDrained = null;
		for (const resolve of waiting ?? []) resolve();
	}
}
