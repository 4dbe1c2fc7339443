import { closed, disconnected, type GatewayError } from "./gateway-error";
import { type ConnectionState, Link, type LinkOptions, toGatewayError } from "./link";
import { Outbox } from "./outbox";
import { type SubscribeOptions, type SubscriptionHandle, Subscriptions } from "./subscriptions";
import type {
	GatewayEvent,
	Method,
	Params,
	Result,
	ServerFrame,
	SocketConstructor,
} from "./wire-types";

export interface GatewayClientOptions {
	/** `ws://127.0.0.1:18789` */
	url: string;
	/** Asked for at every connection, if it is a function. */
	token: LinkOptions["token"];
	/** Default: the platform's own. */
	WebSocket?: SocketConstructor;
	/** Told of every change of the connection's state. */
	onState?: (state: ConnectionState) => void;
	/** Told of events of sessions that are not subscribed to: those of turns started here. */
	onEvent?: (event: GatewayEvent) => void;
	/** How long an answer may take before the connection is held to be lost. Default 15,000. */
	timeoutMs?: number;
	/** After how much silence the connection is tested. Default 20,000. */
	heartbeatMs?: number;
	/** The shortest and the longest pause before connecting again. Default 200 and 10,000. */
	minPauseMs?: number;
	maxPauseMs?: number;
}

interface PendingCall {
	method: Method;
	params: object;
	resolve(result: never): void;
	reject(error: GatewayError): void;
}

/** Carried out twice these would do something else; so they are not sent again by themselves. */
const NOT_REPEATED: ReadonlySet<Method> = new Set(["sessions.create", "sessions.fork"]);
/** Sent again by those who know what to do about it. */
const OWN_CARE: ReadonlySet<Method> = new Set(["chat.send", "chat.subscribe"]);

/**
 * A client of the gateway. It connects at once, comes back whenever the connection is lost, goes on
 * with every subscription after its last event, and sends what was not confirmed.
 */
export class GatewayClient {
	readonly #link: Link;
	readonly #outbox: Outbox;
	readonly #subscriptions: Subscriptions;
	readonly #pending = new Map<string, PendingCall>();
	readonly #onEvent: (event: GatewayEvent) => void;
	#nextId = 1;

	constructor(options: GatewayClientOptions & { WebSocket: SocketConstructor }) {
		const { timeoutMs = 15_000, onEvent = () => {} } = options;
		const { minPauseMs = 200, maxPauseMs = 10_000 } = options;
		this.#onEvent = onEvent;
		this.#outbox = new Outbox((message) => this.call("chat.send", message), minPauseMs);
		this.#subscriptions = new Subscriptions({
			ask: (...request) => this.#request("chat.subscribe", ...request),
			minPauseMs,
			maxPauseMs,
		});
		this.#link = new Link({
			url: options.url,
			token: options.token,
			WebSocket: options.WebSocket,
			minPauseMs,
			maxPauseMs,
			heartbeatMs: options.heartbeatMs ?? 20_000,
			timeoutMs,
			onOpen: () => this.#opened(),
			onFrame: (frame) => this.#take(frame),
			onLost: () => this.#lost(),
			onState: options.onState ?? (() => {}),
		});
		this.#link.connect();
	}

	get state(): ConnectionState {
		return this.#link.state;
	}

	/** Messages that the server has not confirmed. */
	get unsent(): readonly Params<"chat.send">[] {
		return this.#outbox.messages;
	}

	/** Calls a method, when there is a connection. Rejects with a `GatewayError`. */
	call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
		return new Promise((resolve, reject) => this.#request(method, params, resolve, reject));
	}

	/**
	 * Sends a message, now or when there is a connection again. Resolves when the server has stored it;
	 * messages of a session are stored in the order of the calls, each once.
	 */
	send(
		sessionKey: string,
		message: string,
		options: { whenBusy?: "queue" | "reject" | "interrupt"; idempotencyKey?: string } = {},
	): Promise<Result<"chat.send">> {
		if (this.#isOver()) return Promise.reject(closed(this.#reason()));
		const { idempotencyKey = crypto.randomUUID(), whenBusy } = options;
		return this.#outbox.add({
			sessionKey,
			message,
			idempotencyKey,
			...(whenBusy && { whenBusy }),
		});
	}

	/**
	 * Every event of a session after the cursor, once, in order, over all reconnects. Without `after`:
	 * from the start of a turn that runs, or from now. Asked for again while the server cannot answer.
	 */
	subscribe(
		sessionKey: string,
		onEvent: (event: GatewayEvent) => void,
		{ after, onError }: SubscribeOptions = {},
	): SubscriptionHandle {
		const listener = { onEvent, ...(onError && { onError }) };
		const handle = this.#subscriptions.add(sessionKey, listener, after, () => {
			if (this.state === "open") this.call("chat.unsubscribe", { sessionKey }).catch(() => {});
		});
		if (this.state === "open") this.#subscriptions.start(sessionKey);
		return handle;
	}

	close(): void {
		this.#link.close();
	}

	/** One of the two functions is called as soon as the answer is here, before the next frame. */
	#request<M extends Method>(
		method: M,
		params: Params<M>,
		resolve: (result: Result<M>) => void,
		reject: (error: GatewayError) => void,
	): void {
		if (this.#isOver()) {
			reject(closed(this.#reason()));
		} else if (OWN_CARE.has(method) && this.state !== "open") {
			reject(disconnected());
		} else {
			const id = `c${this.#nextId++}`;
			this.#pending.set(id, { method, params, resolve, reject });
			this.#link.send({ id, method, params });
		}
	}

	#isOver(): boolean {
		return this.state === "closed" || this.state === "refused";
	}

	#reason(): string | undefined {
		return this.state === "refused" ? "The gateway refuses this token." : undefined;
	}

	#opened(): void {
		this.#subscriptions.startAll();
		for (const [id, { method, params }] of this.#pending) {
			if (!OWN_CARE.has(method)) this.#link.send({ id, method, params });
		}
		this.#outbox.open();
	}

	#lost(): void {
		this.#outbox.lost();
		this.#subscriptions.lost();
		const isOver = this.#isOver();
		const error = isOver ? closed(this.#reason()) : disconnected();
		for (const [id, { method, reject }] of this.#pending) {
			if (!isOver && !NOT_REPEATED.has(method) && !OWN_CARE.has(method)) continue;
			this.#pending.delete(id);
			reject(error);
		}
		if (isOver) this.#outbox.close(closed(this.#reason()));
	}

	#take(frame: ServerFrame): void {
		if (frame.event !== undefined) {
			const event = frame as unknown as GatewayEvent;
			if (!this.#subscriptions.take(event)) this.#onEvent(event);
			return;
		}
		const id = String(frame.id);
		const call = this.#pending.get(id);
		if (!call) return;
		this.#pending.delete(id);
		if (frame.error) call.reject(toGatewayError(frame));
		else call.resolve(frame.result as never);
	}
}
