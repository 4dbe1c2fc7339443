import type { CloudApiEvent } from "./cloud-api-event";
import { type Delivery, deliverAnswer } from "./deliver-answer";
import type { Settings } from "./settings";
import type { SessionMetadata } from "./types";

type Response = Record<string, unknown> & { requestId: string };

interface AnswersOptions {
	/** Another resume is about to answer the same requests. */
	isSecond?: boolean;
	/** Under which the page claimed the requests. */
	claimId?: string | undefined;
	/** How this call goes on with the turn, for a server that keeps a log of it. */
	resume?: "hot" | "cold" | undefined;
}

/** How long another resume has to bring its answer before this one brings it. */
const TURN_OF_OTHERS_MS = 2_000;

/**
 * The answers that this call brings, each delivered once. A server that repeats a request has not
 * got its answer: then it is sent with the credentials of that very connection.
 */
export class Answers {
	readonly #settings: Settings;
	readonly #responses: Map<string, Response>;
	readonly #done = new Set<string>();
	/** Requests that the server repeated: it waits for their answers. */
	readonly #repeated = new Set<string>();
	readonly #options: AnswersOptions;
	#relay: SessionMetadata | null = null;
	#timers: ReturnType<typeof setTimeout>[] = [];

	constructor(settings: Settings, responses: Response[] = [], options: AnswersOptions = {}) {
		this.#settings = settings;
		this.#responses = new Map(responses.map((response) => [response.requestId, response]));
		this.#options = options;
	}

	get ids(): string[] {
		return [...this.#responses.keys()];
	}

	/**
	 * Delivers all of them with stored credentials. Those that are not delivered stay for when the
	 * server repeats its requests.
	 */
	async deliver(relay: SessionMetadata): Promise<Delivery> {
		let worst: Delivery = "delivered";
		for (const [id, response] of this.#responses) {
			this.#done.add(id);
			try {
				const delivery = await this.#hand(relay, response);
				if (delivery === "stale") this.#sendAgain(response);
				if (delivery !== "delivered") worst = delivery;
			} catch (error) {
				this.#done.delete(id);
				throw error;
			}
		}
		return worst;
	}

	/** The server told fresh credentials. */
	renewRelay(relay: SessionMetadata): void {
		this.#relay = { ...relay };
	}

	/** Whether a request is one that this call answers. If it still waits, it gets its answer. */
	meet(event: CloudApiEvent & { requestId: string }): boolean {
		const response = this.#responses.get(event.requestId);
		if (!response) return false;
		this.#repeated.add(event.requestId);
		if (!this.#done.has(event.requestId)) {
			const send = () => this.#send(response);
			if (this.#options.isSecond) this.#timers.push(setTimeout(send, TURN_OF_OTHERS_MS));
			else send();
		}
		return true;
	}

	settled(requestId: unknown): void {
		if (typeof requestId === "string") this.#done.add(requestId);
	}

	close(): void {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#timers = [];
	}

	/** The stored credentials were no good. Those of the attach are, once the server has asked again. */
	#sendAgain(response: Response): void {
		this.#done.delete(response.requestId);
		if (this.#repeated.has(response.requestId)) this.#send(response);
	}

	#hand(relay: SessionMetadata, response: Response): Promise<Delivery> {
		const { claimId, resume } = this.#options;
		return deliverAnswer(this.#settings, { ...relay, claimId, resume }, response);
	}

	#send(response: Response): void {
		if (this.#done.has(response.requestId) || !this.#relay) return;
		this.#done.add(response.requestId);
		this.#hand(this.#relay, response).catch(() => {
			this.#settings.warn("An answer of the page could not be delivered.");
		});
	}
}
