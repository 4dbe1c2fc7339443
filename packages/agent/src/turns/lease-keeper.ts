import { type Collection, isBatonError, type Lease } from "@baton/session";
import type { SessionValue } from "./session-value";

/** An alarm comes due this much after the lease has run out, if the runner is gone. */
const ALARM_SLACK_MS = 50;

/**
 * Renews a lease, and with it the alarm by which others notice that its holder is gone. `lost` is
 * aborted when the lease could not be kept.
 */
export class LeaseKeeper {
	readonly #sessions: Collection<SessionValue>;
	readonly #lease: Lease;
	readonly #lost = new AbortController();
	#timer: NodeJS.Timeout | undefined;
	#heldUntil: number;
	#stopped = false;
	#renewing: Promise<void> = Promise.resolve();

	constructor(sessions: Collection<SessionValue>, lease: Lease) {
		this.#sessions = sessions;
		this.#lease = lease;
		this.#heldUntil = performance.now() + lease.ttlMs;
		this.#schedule();
	}

	get lost(): AbortSignal {
		return this.#lost.signal;
	}

	/** Ends the renewals. What is under way is waited for, so that nothing is renewed afterwards. */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#timer);
		await this.#renewing;
	}

	#schedule(): void {
		if (this.#stopped || this.#lost.signal.aborted) return;
		this.#timer = setTimeout(() => {
			this.#renewing = this.#renew();
		}, this.#lease.ttlMs / 4);
		this.#timer.unref();
	}

	async #renew(): Promise<void> {
		const sent = performance.now();
		try {
			await this.#sessions.renewLease(this.#lease);
			this.#heldUntil = sent + this.#lease.ttlMs;
			await this.#sessions.setAlarm(this.#lease.id, this.#lease.ttlMs + ALARM_SLACK_MS);
		} catch (error) {
			const gone = isBatonError(error, "lease_lost") || isBatonError(error, "not_found");
			if (gone || performance.now() >= this.#heldUntil) this.#lost.abort(error);
		}
		this.#schedule();
	}
}
