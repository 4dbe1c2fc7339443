import { GatewayError } from "./gateway-error";
import type { GatewayEvent, Params, Result } from "./wire-types";

export interface SubscriptionHandle {
	/** The number of the last event that came: where it goes on. */
	readonly seq: number | undefined;
	close(): void;
}

interface Subscribed {
	seq: number | undefined;
	listeners: Set<(event: GatewayEvent) => void>;
	/** Events of before the answer to the latest call are of an earlier subscription. */
	isLive: boolean;
}

const NOT_FOUND = 404;

/** What is subscribed to, and how far each session was read. */
export class Subscriptions {
	readonly #call: (params: Params<"chat.subscribe">) => Promise<Result<"chat.subscribe">>;
	readonly #sessions = new Map<string, Subscribed>();

	constructor(call: (params: Params<"chat.subscribe">) => Promise<Result<"chat.subscribe">>) {
		this.#call = call;
	}

	add(
		sessionKey: string,
		listener: (event: GatewayEvent) => void,
		after: number | undefined,
		onEmpty: () => void,
	): SubscriptionHandle {
		let session = this.#sessions.get(sessionKey);
		if (!session) {
			session = { seq: after, listeners: new Set(), isLive: false };
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
				if (mine.listeners.size > 0 || this.#sessions.get(sessionKey) !== mine) return;
				this.#sessions.delete(sessionKey);
				onEmpty();
			},
		};
	}

	startAll(): void {
		for (const sessionKey of this.#sessions.keys()) this.start(sessionKey);
	}

	/** Asks for everything after the last event that came. */
	start(sessionKey: string): void {
		const session = this.#sessions.get(sessionKey);
		if (!session || session.isLive) return;
		session.isLive = true;
		const { seq } = session;
		this.#call({ sessionKey, ...(seq !== undefined && { after: seq }) }).then(
			({ after }) => {
				session.seq ??= after;
			},
			(error: unknown) => {
				session.isLive = false;
				if (!(error instanceof GatewayError) || error.code !== NOT_FOUND) return;
				this.#deliver(session, { event: "sessions.deleted", data: { sessionKey } });
				this.#sessions.delete(sessionKey);
			},
		);
	}

	lost(): void {
		for (const session of this.#sessions.values()) session.isLive = false;
	}

	/** False: the event is of no session that is subscribed to. */
	take(event: GatewayEvent): boolean {
		const { sessionKey } = event.data;
		const session = this.#sessions.get(sessionKey);
		if (!session) return false;
		if (event.event === "sessions.deleted") {
			this.#sessions.delete(sessionKey);
		} else {
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

	#deliver({ listeners }: Subscribed, event: GatewayEvent): void {
		for (const listener of [...listeners]) listener(event);
	}
}
