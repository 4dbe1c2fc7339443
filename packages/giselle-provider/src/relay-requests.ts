import type { RelaySubscription } from "./types";

/**
 * Requests that come beside the stream. It owns the subscription, and a wait that is under way: a
 * request that arrives while nobody waits is there for whoever asks next.
 */
export class RelayRequests implements RelaySubscription {
	readonly #subscription: Promise<RelaySubscription>;
	#next: Promise<Record<string, unknown>> | null = null;
	#closed = false;

	constructor(subscription: RelaySubscription | Promise<RelaySubscription>) {
		this.#subscription = Promise.resolve(subscription);
		this.#subscription.catch(() => {});
	}

	/** The next request, the same one until it is taken. Rejects when the subscription is lost. */
	nextRequest(): Promise<Record<string, unknown>> {
		if (!this.#next) {
			this.#next = this.#subscription.then((subscription) => subscription.nextRequest());
			this.#next.catch(() => {});
		}
		return this.#next;
	}

	taken(): void {
		this.#next = null;
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		const subscription = await this.#subscription.catch(() => null);
		await subscription?.close();
	}
}
