import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "./api-error";

/** So many requests a minute for each name, in this process. */
export class RateLimit {
	readonly #limiter: RateLimiterMemory;

	constructor(perMinute: number) {
		this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
	}

	/** Rejects with RATE_LIMITED when the name has used up its minute. */
	async take(name: string): Promise<void> {
		try {
			await this.#limiter.consume(name);
		} catch (refused) {
			if (!(refused instanceof RateLimiterRes)) throw refused;
			const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
			throw new ApiError("RATE_LIMITED", `Too many requests; try again in ${retryAfter} s.`, {
				retryAfter,
			});
		}
	}
}
