import type { SessionValue } from "@baton/agent";
import type { Collection } from "@baton/session";
import type { ChatEvent } from "./chat-event";
import { chatFrame, type Frame } from "./frame";
import type { SharedFrames } from "./session-frames";
import { Subscription } from "./subscription";

/** How many of the latest turns that a socket started it is remembered to be told of. */
const REMEMBERED_RUNS = 1_000;

interface ChatsOptions {
	sessions: Collection<SessionValue>;
	shared: SharedFrames;
	namesAborted: boolean;
	/** Stops before the end of the frames when they are no longer wanted. */
	sendFrames(frames: readonly Frame[], isWanted: () => boolean): Promise<boolean>;
	/** The messages that a reset brings along, in bytes. */
	maxResetBytes: number;
	sendEvent(name: string, data: object): void;
	onError(error: unknown): void;
}

/** What one socket is told about its chats: sessions it subscribes to, and turns that it started. */
export class ConnectionChats {
	readonly #options: ChatsOptions;
	readonly #subscriptions = new Map<string, Subscription>();
	/** Sessions whose events wait until a request about them is answered. */
	readonly #held = new Map<string, { count: number; released: Promise<void>; release(): void }>();
	readonly #told = new Set<string>();
	#closed = false;

	constructor(options: ChatsOptions) {
		this.#options = options;
	}

	get subscribed(): string[] {
		return [...this.#subscriptions.keys()];
	}

	/** From now on every event after the cursor is sent. Subscribing again starts from the new one. */
	subscribe(sessionKey: string, after: number): void {
		if (this.#closed) return;
		this.unsubscribe(sessionKey);
		const { sessions, shared, namesAborted, sendFrames, maxResetBytes, sendEvent, onError } =
			this.#options;
		const subscription = new Subscription({
			sessions,
			sessionKey,
			after,
			shared: shared.take(sessionKey),
			namesAborted,
			maxResetBytes,
			send: sendFrames,
			released: () => this.#held.get(sessionKey)?.released,
		});
		this.#subscriptions.set(sessionKey, subscription);
		void subscription
			.run()
			.then((end) => {
				if (end === "deleted") sendEvent("sessions.deleted", { sessionKey });
			})
			.catch(onError)
			.finally(() => {
				shared.release(sessionKey);
				if (this.#subscriptions.get(sessionKey) === subscription) {
					this.#subscriptions.delete(sessionKey);
				}
			});
	}

	unsubscribe(sessionKey: string): void {
		this.#subscriptions.get(sessionKey)?.stop();
		this.#subscriptions.delete(sessionKey);
	}

	/** False: this socket is told of the turn already, or was. */
	beginTelling(runId: string): boolean {
		if (this.#told.has(runId)) return false;
		this.#told.add(runId);
		const [oldest] = this.#told;
		if (this.#told.size > REMEMBERED_RUNS) this.#told.delete(oldest!);
		return true;
	}

	/** Sends events of a turn that this socket started, unless a subscription tells them anyway. */
	async tell(sessionKey: string, events: readonly ChatEvent[]): Promise<void> {
		const isWanted = () => !this.#closed && !this.#subscriptions.has(sessionKey);
		if (!isWanted()) return;
		const { sendFrames, namesAborted } = this.#options;
		await sendFrames(
			events.map((event) => chatFrame(event, namesAborted)),
			isWanted,
		);
	}

	/** Events cannot be told any more: the socket is closed, and its client comes back. */
	failed(error: unknown): void {
		this.#options.onError(error);
	}

	/** Holds a session's events back until the returned function is called. */
	hold(sessionKey: string): () => void {
		let held = this.#held.get(sessionKey);
		if (!held) {
			let release = () => {};
			const released = new Promise<void>((resolve) => {
				release = resolve;
			});
			held = { count: 0, released, release };
			this.#held.set(sessionKey, held);
		}
		const mine = held;
		mine.count++;
		return () => {
			if (--mine.count > 0) return;
			this.#held.delete(sessionKey);
			mine.release();
		};
	}

	close(): void {
		this.#closed = true;
		for (const sessionKey of this.subscribed) this.unsubscribe(sessionKey);
	}
}
