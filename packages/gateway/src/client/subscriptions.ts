import { backoffMs } from "./backoff";
import type { GatewayError } from "./gateway-error";
import type { GatewayEvent, Params, Result } from "./wire-types";

export interface SubscriptionHandle {
	/** The number of the last event that came: where it goes on. */
	readonly seq: number | undefined;
	close(): void;
}

export interface SubscribeOptions {
	/** The number of the last event that is known already. */
	after?: number;
	/** The server refuses this subscription for good: no event comes any more. */
	onError?: (error: GatewayError) => void;
}

interface Listener {
	onEvent(event: GatewayEvent): void;
	onError?(error: GatewayError): void;
}

interface Subscribed {
	readonly sessionKey: string;
	seq: number | undefined;
	readonly listeners: Set<Listener>;
	/** The server was asked for it on this connection. */
	asked: boolean;
	/** The server has answered: what comes from now on is this subscription's, in order. */
	isLive: boolean;
	/** Refusals in a row, and the wait after the latest. */
	refusals: number;
	retry: ReturnType<typeof setTimeout> | undefined;
}

interface SubscriptionsOptions {
	/** Asks the server. One of the two is called, in order with the events that come. */
	ask(
		params: Params<"chat.subscribe">,
		answered: (result: Result<"chat.subscribe">) => void,
		failed: (error: GatewayError) => void,
	): void;
	minPauseMs: number;
	maxPauseMs: number;
}

const NOT_FOUND = 404;

/** What is subscribed to, and how far each session was read. */
export class Subscriptions {
	readonly #options: SubscriptionsOptions;
	readonly #sessions = new Map<string, Subscribed>();

	constructor(options: SubscriptionsOptions) {
		this.#options = options;
	}

	add(
		sessionKey: string,
		listener: Listener,
		after: number | undefined,
		onEmpty: () => void,
	): SubscriptionHandle {
		let session = this.#sessions.get(sessionKey);
		if (!session) {
			session = {
				sessionKey,
				seq: after,
				listeners: new Set(),
				asked: false,
				isLive: false,
				refusals: 0,
				retry: undefined,
			};
			this.#sessions.set(sessionKey, session);
		}
		const mine = session;
		mine.listeners.add(listener);
		return {
			get seq() {
				return mine.seq;
			},
			close: () => {
				mine.listeners.delete(listener);
				if (mine.listeners.size > 0 || !this.#isCurrent(mine)) return;
				this.#forget(mine);
				onEmpty();
			},
		};
	}

	startAll(): void {
		for (const sessionKey of [...this.#sessions.keys()]) this.start(sessionKey);
	}

	/** Asks for everything after the last event that came. */
	start(sessionKey: string): void {
		const session = this.#sessions.get(sessionKey);
		if (!session || session.asked) return;
		clearTimeout(session.retry);
		session.asked = true;
		const { seq } = session;
		this.#options.ask(
			{ sessionKey, ...(seq !== undefined && { after: seq }) },
			({ after }) => {
				session.isLive = true;
				session.refusals = 0;
				session.seq ??= after;
			},
			(error) => this.#refused(session, error),
		);
	}

	/** The connection is lost: with the next one everything is asked for again. */
	lost(): void {
		for (const session of this.#sessions.values()) {
			clearTimeout(session.retry);
			session.asked = session.isLive = false;
		}
	}

	/** False: the event is of no session that is subscribed to. */
	take(event: GatewayEvent): boolean {
		const session = this.#sessions.get(event.data.sessionKey);
		if (!session) return false;
		if (event.event === "sessions.deleted") {
			this.#forget(session);
		} else {
			// Until the answer, a socket is told of its own turns: the subscription brings that again.
			if (!session.isLive) return true;
			const { seq } = event.data;
			// A reset may go back; everything else that is not new was delivered before.
			if (event.event !== "chat.reset" && session.seq !== undefined && seq <= session.seq) {
				return true;
			}
			session.seq = seq;
		}
		this.#deliver(session, event);
		return true;
	}

	#refused(session: Subscribed, error: GatewayError): void {
		session.asked = false;
		// Without a connection nothing is tried: coming back asks again.
		if (!this.#isCurrent(session) || error.type === "disconnected" || error.type === "closed") {
			return;
		}
		const { sessionKey } = session;
		if (error.retryable) {
			const { minPauseMs, maxPauseMs } = this.#options;
			const pause = backoffMs(session.refusals++, minPauseMs, maxPauseMs);
			session.retry = setTimeout(() => this.start(sessionKey), pause);
			return;
		}
		this.#forget(session);
		if (error.code === NOT_FOUND) {
			this.#deliver(session, { event: "sessions.deleted", data: { sessionKey } });
		} else {
			for (const listener of [...session.listeners]) listener.onError?.(error);
		}
	}

	#isCurrent(session: Subscribed): boolean {
		return this.#sessions.get(session.sessionKey) === session;
	}

	#forget(session: Subscribed): void {
		clearTimeout(session.retry);
		this.#sessions.delete(session.sessionKey);
	}

	#deliver({ listeners }: Subscribed, event: GatewayEvent): void {
		for (const listener of [...listeners]) listener.onEvent(event);
	}
}
