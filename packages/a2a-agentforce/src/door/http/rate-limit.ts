import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** So many requests a minute for each name, in this process. */
export class RateLimit {
	readonly #limiter: RateLimiterMemory;

	constructor(perMinute: number) {
		this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
	}

	/** Null, or the seconds after which it is worth trying again. */
	async take(name: string): Promise<number | null> {
		try {
			await this.#limiter.consume(name);
			return null;
		} catch (refused) {
			if (!(refused instanceof RateLimiterRes)) throw refused;
			return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
		}
	}
}
