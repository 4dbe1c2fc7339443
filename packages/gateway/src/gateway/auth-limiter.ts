import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

/**
 * Counts wrong tokens by address, loopback included: any page that a person opens can reach loopback.
 * The failures of pages lock out pages, not the person's own programs.
 */
export class AuthLimiter {
	readonly #limiter: RateLimiterMemory;

	constructor({ refusedPerMinute, lockOutMs }: { refusedPerMinute: number; lockOutMs: number }) {
		this.#limiter = new RateLimiterMemory({
			points: refusedPerMinute,
			duration: 60,
			blockDuration: Math.ceil(lockOutMs / 1_000),
		});
	}

	/** Seconds until a locked-out caller may try again; 0 for all others. */
	async lockedFor(caller: string): Promise<number> {
		const state = await this.#limiter.get(caller);
		if (!state || state.remainingPoints > 0) return 0;
		return Math.ceil(state.msBeforeNext / 1_000);
	}

	async refused(caller: string): Promise<void> {
		await this.#limiter.consume(caller).catch((locked: RateLimiterRes | Error) => {
			if (locked instanceof Error) throw locked;
		});
	}
}
