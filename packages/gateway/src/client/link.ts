import { backoffMs } from "./backoff";
import { disconnected, GatewayError } from "./gateway-error";
import type { ServerFrame, SocketConstructor, SocketLike } from "./wire-types";

/** refused: the token is wrong, and nothing is tried any more. */
export type ConnectionState = "connecting" | "open" | "waiting" | "refused" | "closed";

export interface LinkOptions {
	url: string;
	/** Asked for at every connection, if it is a function. */
	token: string | (() => string | Promise<string>);
	WebSocket: SocketConstructor;
	/** The shortest and the longest pause before a new try. */
	minPauseMs: number;
	maxPauseMs: number;
	/** After how much silence the connection is tested, and how long the test may take. */
	heartbeatMs: number;
	timeoutMs: number;
	onOpen(): void;
	onFrame(frame: ServerFrame): void;
	onLost(): void;
	onState(state: ConnectionState): void;
}

const UNAUTHORIZED = 4401;

/** A connection that comes back: connects, authenticates, notices silence, and tries again. */
export class Link {
	readonly #options: LinkOptions;
	#state: ConnectionState = "closed";
	#socket: SocketLike | null = null;
	#tries = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#heardAt = 0;
	#testedAt: number | null = null;

	constructor(options: LinkOptions) {
		this.#options = options;
	}

	get state(): ConnectionState {
		return this.#state;
	}

	connect(): void {
		if (this.#state === "connecting" || this.#state === "open") return;
		clearTimeout(this.#timer);
		this.#setState("connecting");
		const { url, WebSocket, timeoutMs } = this.#options;
		const socket = new WebSocket(url);
		this.#socket = socket;
		this.#timer = setTimeout(() => this.#lost(socket), timeoutMs);
		socket.onopen = () => void this.#authenticate(socket);
		socket.onmessage = (event: { data: unknown }) => this.#heard(socket, event.data);
		socket.onclose = (event: { code: number }) => this.#lost(socket, event.code);
		// A close follows, which tells more.
		socket.onerror = () => {};
	}

	/** Sends a frame now. False: there is no connection to send it on. */
	send(frame: object): boolean {
		if (this.#state !== "open" || !this.#socket) return false;
		try {
			this.#socket.send(JSON.stringify(frame));
			return true;
		} catch {
			return false;
		}
	}

	close(): void {
		this.#end("closed");
	}

	async #authenticate(socket: SocketLike): Promise<void> {
		const { token } = this.#options;
		try {
			const value = typeof token === "function" ? await token() : token;
			if (this.#socket !== socket) return;
			socket.send(JSON.stringify({ type: "auth", token: value, events: ["chat.aborted"] }));
		} catch {
			this.#lost(socket);
		}
	}

	#heard(socket: SocketLike, data: unknown): void {
		if (this.#socket !== socket) return;
		this.#heardAt = Date.now();
		this.#testedAt = null;
		const frame = parseFrame(data);
		if (frame?.type === "auth") {
			if (frame.ok === true) this.#accepted(socket);
		} else if (frame) {
			this.#options.onFrame(frame);
		}
	}

	#accepted(socket: SocketLike): void {
		clearTimeout(this.#timer);
		this.#tries = 0;
		this.#setState("open");
		this.#watch(socket);
		this.#options.onOpen();
	}

	/** A connection may die without a word, while a machine sleeps for instance. */
	#watch(socket: SocketLike): void {
		const { heartbeatMs, timeoutMs } = this.#options;
		const look = () => {
			if (this.#socket !== socket) return;
			const now = Date.now();
			if (this.#testedAt !== null && now - this.#testedAt >= timeoutMs) {
				this.#lost(socket);
				return;
			}
			if (this.#testedAt === null && now - this.#heardAt >= heartbeatMs) {
				this.#testedAt = now;
				this.send({ id: "heartbeat", method: "health.check", params: {} });
			}
			this.#timer = setTimeout(look, Math.min(heartbeatMs, timeoutMs) / 2);
		};
		this.#timer = setTimeout(look, Math.min(heartbeatMs, timeoutMs) / 2);
	}

	#lost(socket: SocketLike, code?: number): void {
		if (this.#socket !== socket) return;
		const { token, minPauseMs, maxPauseMs } = this.#options;
		if (code === UNAUTHORIZED && typeof token === "string") {
			this.#end("refused");
			return;
		}
		this.#release(socket);
		this.#setState("waiting");
		this.#options.onLost();
		if (this.#state !== "waiting") return;
		const pause = backoffMs(this.#tries++, minPauseMs, maxPauseMs);
		this.#timer = setTimeout(() => this.connect(), pause);
	}

	#end(state: "closed" | "refused"): void {
		clearTimeout(this.#timer);
		const socket = this.#socket;
		if (socket) this.#release(socket);
		this.#setState(state);
		this.#options.onLost();
	}

	#release(socket: SocketLike): void {
		clearTimeout(this.#timer);
		this.#socket = null;
		this.#testedAt = null;
		socket.onopen = socket.onmessage = socket.onclose = null;
		try {
			socket.close();
		} catch {
			// It was never open.
		}
	}

	#setState(state: ConnectionState): void {
		if (this.#state === state) return;
		this.#state = state;
		this.#options.onState(state);
	}
}

function parseFrame(data: unknown): ServerFrame | null {
	try {
		const frame: unknown = JSON.parse(String(data));
		return typeof frame === "object" && frame !== null ? (frame as ServerFrame) : null;
	} catch {
		return null;
	}
}

/** What a refusal of the server means for a caller. */
export function toGatewayError({ error }: ServerFrame): GatewayError {
	if (!error) return disconnected();
	const { code, message, data } = error;
	return new GatewayError(code, data?.type ?? "", message, data?.retryable ?? false);
}
