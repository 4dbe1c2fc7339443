import { once } from "node:events";
import { waitFor } from "@baton/testkit";
import WebSocket, { type ClientOptions } from "ws";

export type Frame = Record<string, unknown> & {
	id?: string | number | null;
	result?: Record<string, unknown>;
	error?: { code: number; message: string; data?: { type: string; retryable: boolean } };
	event?: string;
	data?: Record<string, unknown>;
};

/** The first frame of a client: who it is. */
export const auth = (token: string, more: object = {}) =>
	JSON.stringify({ type: "auth", token, ...more });

/** How a socket was closed, once it is. */
export const closeOf = (peer: Peer) => waitFor(() => peer.closed, { what: "the socket to close" });

/** A plain WebSocket client, as `wscat` is one: it sends texts and keeps every frame it got. */
export class Peer {
	readonly ws: WebSocket;
	readonly frames: Frame[] = [];
	closed: { code: number; reason: string } | null = null;
	#nextId = 1;

	private constructor(ws: WebSocket) {
		this.ws = ws;
		ws.on("message", (data) => this.frames.push(JSON.parse(data.toString()) as Frame));
		ws.on("close", (code, reason) => {
			this.closed = { code, reason: reason.toString() };
		});
		ws.on("error", () => {});
	}

	static async connect(url: string, options?: ClientOptions): Promise<Peer> {
		const ws = new WebSocket(url, options);
		const peer = new Peer(ws);
		await once(ws, "open");
		return peer;
	}

	/** Connects and authenticates. */
	static async open(url: string, token: string, more: object = {}): Promise<Peer> {
		const peer = await Peer.connect(url);
		peer.text(auth(token, more));
		await peer.frame(({ type }) => type === "auth");
		return peer;
	}

	text(text: string): void {
		this.ws.send(text);
	}

	/** The first frame that fits, from `from` on. */
	async frame(fits: (frame: Frame) => boolean, timeoutMs = 20_000, from = 0): Promise<Frame> {
		return waitFor(() => this.frames.slice(from).find(fits), {
			timeoutMs,
			everyMs: 5,
			what: `a frame among ${JSON.stringify(this.frames.slice(-3))}`,
		});
	}

	/** Sends a request and waits for its answer, a refusal included. */
	async ask(method: string, params: object = {}): Promise<Frame> {
		const id = `r${this.#nextId++}`;
		this.text(JSON.stringify({ id, method, params }));
		return this.frame((frame) => frame.id === id);
	}

	/** The result of a call; a refusal is an error. */
	async call<T = Record<string, unknown>>(method: string, params: object = {}): Promise<T> {
		const { result, error } = await this.ask(method, params);
		if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
		return result as T;
	}

	async createSession(params: object = {}): Promise<string> {
		return (await this.call<{ sessionKey: string }>("sessions.create", params)).sessionKey;
	}

	/** Sends a message and waits for the end of its turn. */
	async chat(sessionKey: string, message: string): Promise<{ runId: string; end: Frame }> {
		const { runId } = await this.call<{ runId: string }>("chat.send", { sessionKey, message });
		return { runId, end: await this.end(runId) };
	}

	end(runId: string, timeoutMs = 25_000): Promise<Frame> {
		return this.frame(({ event, data }) => isEnd(event) && data?.runId === runId, timeoutMs);
	}

	events(name?: string, runId?: string): Frame[] {
		return this.frames.filter(
			({ event, data }) =>
				event !== undefined &&
				(name === undefined || event === name) &&
				(runId === undefined || data?.runId === runId),
		);
	}

	/** What the assistant said in a run, as a client that knows of `retract` shows it. */
	said(runId: string): string {
		let text = "";
		for (const { event, data } of this.events(undefined, runId)) {
			if (event === "chat.delta") text += data?.text;
			if (event === "chat.retract") text = "";
		}
		return text;
	}

	async close(): Promise<void> {
		this.ws.close();
		await closeOf(this);
	}
}

export function isEnd(event: string | undefined): boolean {
	return event === "chat.final" || event === "chat.error" || event === "chat.aborted";
}
