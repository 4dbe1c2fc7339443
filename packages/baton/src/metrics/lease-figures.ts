import { type Appended, type AppendOptions, isBatonError, type Lease } from "@baton/session";
import type { StoreCall } from "../observe/observe-store";
import type { Makers } from "./makers";

/** Which sessions this process drives, and what it lost. */
export class LeaseFigures {
	readonly #lost;
	readonly #released: (sessionId: string) => void;
	/** Leases that are held here, and until when they last for certain. */
	readonly #held = new Map<Lease, number>();

	/** `released` is told of every session that is driven here no longer. */
	constructor(make: Makers, released: (sessionId: string) => void) {
		this.#released = released;
		this.#lost = make.counter(
			"baton_leases_lost_total",
			"Leases that ran out or were taken while this process held them.",
		);
		make.gauge("baton_leases", "Sessions that this process drives.", [], (gauge) =>
			gauge.set(this.#held.size),
		);
	}

	/** After a call that succeeded. `begin` is when it was made. */
	called({ method, args }: StoreCall, result: unknown, begin: number): void {
		const [first, second] = args;
		if (method === "takeLease" && result) {
			const lease = result as Lease;
			this.#held.set(lease, begin + lease.ttlMs);
		} else if (method === "renewLease") {
			const lease = first as Lease;
			const ttlMs = (second as number | undefined) ?? lease.ttlMs;
			if (this.#held.has(lease)) this.#held.set(lease, begin + ttlMs);
		} else if (method === "releaseLease") {
			this.#release(first as Lease);
		} else if (method === "append") {
			const { taken } = result as Appended;
			const { lease, settle } = (args[3] ?? {}) as AppendOptions;
			if (taken) this.#held.set(taken.lease, begin + taken.lease.ttlMs);
			if (lease && settle) this.#release(lease);
		}
	}

	failed({ method, args }: StoreCall, error: unknown): void {
		if (method === "releaseLease") this.#release(args[0] as Lease);
		if (!isBatonError(error, "lease_lost")) return;
		const named =
			method === "append" ? (args[3] as AppendOptions | undefined)?.lease : (args[0] as Lease);
		if (named) this.#lose(named);
	}

	/** A lease that had run out by then was lost, though nobody refused anything. */
	#release(lease: Lease): void {
		const until = this.#held.get(lease);
		if (until === undefined) return;
		if (performance.now() > until) this.#lose(lease);
		else this.#drop(lease);
	}

	#lose(lease: Lease): void {
		if (!this.#held.has(lease)) return;
		this.#lost.inc();
		this.#drop(lease);
	}

	#drop(lease: Lease): void {
		this.#held.delete(lease);
		this.#released(lease.id);
	}
}
