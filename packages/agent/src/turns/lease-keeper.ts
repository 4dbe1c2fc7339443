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
	#end: NodeJS.Timeout | undefined;
	#stopped = false;
	#renewing: Promise<void> = Promise.resolve();

	/** `takenAt` is the moment before the lease was asked for, by `performance.now()`. */
	constructor(sessions: Collection<SessionValue>, lease: Lease, takenAt: number) {
		this.#sessions = sessions;
		this.#lease = lease;
		this.#extend(takenAt);
		this.#schedule();
	}

	get lost(): AbortSignal {
		return this.#lost.signal;
	}

	/**
	 * Ends the renewals. What is under way is waited for, so that nothing is renewed afterwards; a
	 * lease that is lost can no longer be renewed.
	 */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#timer);
		clearTimeout(this.#end);
		if (!this.#lost.signal.aborted) await this.#renewing;
	}

	/** The lease is over at its time, also while a renewal hangs in a store that does not answer. */
	#extend(from: number): void {
		clearTimeout(this.#end);
		if (this.#stopped) return;
		const remaining = from + this.#lease.ttlMs - performance.now();
		this.#end = setTimeout(() => this.#lost.abort(leaseOver(this.#lease)), Math.max(remaining, 0));
		this.#end.unref();
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
			this.#extend(sent);
			await this.#sessions.setAlarm(this.#lease.id, this.#lease.ttlMs + ALARM_SLACK_MS);
		} catch (error) {
			if (isBatonError(error, "lease_lost") || isBatonError(error, "not_found")) {
				this.#lost.abort(error);
			}
		}
		this.#schedule();
	}
}

function leaseOver(lease: Lease): Error {
	return new Error(`The lease on session "${lease.id}" could not be renewed in time.`);
}
