import { GatewayError } from "./gateway-error";
import type { Params, Result } from "./wire-types";

type Sent = Result<"chat.send">;
type Message = Params<"chat.send"> & { idempotencyKey: string };

interface Waiting {
	message: Message;
	resolve(sent: Sent): void;
	reject(error: unknown): void;
}

/**
 * Messages that the server has not confirmed, by session. Each goes under its idempotency key until
 * it is confirmed: sent twice it is stored once. The next of a session waits for the one before it.
 */
export class Outbox {
	readonly #call: (message: Message) => Promise<Sent>;
	readonly #sessions = new Map<string, Waiting[]>();
	readonly #sending = new Set<string>();
	readonly #pauseMs: number;
	#isOpen = false;

	/** `call` sends a message once, and rejects with a retryable error when that was in vain. */
	constructor(call: (message: Message) => Promise<Sent>, pauseMs: number) {
		this.#call = call;
		this.#pauseMs = pauseMs;
	}

	/** What is not confirmed, oldest first in each session. */
	get messages(): Message[] {
		return [...this.#sessions.values()].flat().map(({ message }) => message);
	}

	add(message: Message): Promise<Sent> {
		return new Promise((resolve, reject) => {
			const waiting = this.#sessions.get(message.sessionKey) ?? [];
			waiting.push({ message, resolve, reject });
			this.#sessions.set(message.sessionKey, waiting);
			void this.#send(message.sessionKey);
		});
	}

	/** There is a connection: everything that waits goes out. */
	open(): void {
		this.#isOpen = true;
		for (const sessionKey of [...this.#sessions.keys()]) void this.#send(sessionKey);
	}

	lost(): void {
		this.#isOpen = false;
	}

	/** Gives up: nothing more can be sent. */
	close(error: GatewayError): void {
		this.#isOpen = false;
		const all = [...this.#sessions.values()].flat();
		this.#sessions.clear();
		for (const { reject } of all) reject(error);
	}

	async #send(sessionKey: string): Promise<void> {
		if (this.#sending.has(sessionKey)) return;
		this.#sending.add(sessionKey);
		try {
			for (;;) {
				const waiting = this.#sessions.get(sessionKey);
				const next = waiting?.[0];
				if (!next || !this.#isOpen) break;
				const outcome = await this.#call(next.message).catch((error: unknown) => error);
				if (this.#sessions.get(sessionKey) !== waiting) break;
				if (isRetryable(outcome)) {
					// The connection is lost, and coming back sends it; or the server asked for patience.
					if (this.#isOpen) await pause(this.#pauseMs);
					continue;
				}
				waiting!.shift();
				if (waiting!.length === 0) this.#sessions.delete(sessionKey);
				if (outcome instanceof Error) next.reject(outcome);
				else next.resolve(outcome as Sent);
			}
		} finally {
			this.#sending.delete(sessionKey);
		}
	}
}

function isRetryable(outcome: unknown): boolean {
	return outcome instanceof GatewayError && outcome.retryable && outcome.type !== "busy";
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
