import { BatonError } from "../errors";
import type { Lease, LeaseOptions, SessionState } from "../port";

interface Held {
	holder: string;
	token: number;
	expiresAt: number;
}

/**
 * Leases of a store that one process owns. Time is monotonic and runs on while the process is
 * stopped, so a holder that slept past its lease has lost it.
 */
export class Leases {
	readonly #held = new Map<string, Held>();

	/** `token` is the next fencing token; the caller keeps it growing across restarts. */
	take(id: string, token: number, { holder, ttlMs }: LeaseOptions): Lease {
		this.#held.set(id, { holder, token, expiresAt: performance.now() + ttlMs });
		return { id, holder, token, ttlMs };
	}

	current(id: string): SessionState["lease"] {
		const held = this.#held.get(id);
		if (!held) return null;
		const remainingMs = held.expiresAt - performance.now();
		if (remainingMs <= 0) {
			this.#held.delete(id);
			return null;
		}
		return { holder: held.holder, token: held.token, remainingMs: Math.ceil(remainingMs) };
	}

	/** Throws `lease_lost` when the lease is not the current one. */
	check(lease: Lease): void {
		if (this.current(lease.id)?.token !== lease.token) throw leaseLost(lease);
	}

	renew(lease: Lease, ttlMs: number): void {
		this.check(lease);
		(this.#held.get(lease.id) as Held).expiresAt = performance.now() + ttlMs;
	}

	release(lease: Lease): void {
		if (this.#held.get(lease.id)?.token === lease.token) this.#held.delete(lease.id);
	}

	drop(id: string): void {
		this.#held.delete(id);
	}
}

/**
 * The fencing token after this one. A session's first is the time, so that a lease of a deleted
 * session means nothing to another that was given its id.
 */
export function nextToken(last: number): number {
	return last === 0 ? Date.now() : last + 1;
}

export function leaseLost(lease: Lease): BatonError {
	return new BatonError(
		"lease_lost",
		`Lease ${lease.token} on session "${lease.id}" expired or was taken over; nothing was written. Stop this run.`,
	);
}
