import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/**
 * So many requests a minute without a cookie from each address. A visitor with one is limited as an
 * owner; without, every request would be somebody new, and nobody's limit would ever be reached.
 */
export class Newcomers {
	readonly #limiter: RateLimiterMemory;

	constructor(perMinute: number) {
		this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
	}

	/** Null, or the seconds after which the address has a minute again. */
	async take(address: string): Promise<number | null> {
		try {
			await this.#limiter.consume(networkOf(address));
			return null;
		} catch (refused) {
			if (!(refused instanceof RateLimiterRes)) throw refused;
			return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
		}
	}
}

/** Whoever has one address of IPv6 has the 2⁶⁴ of its network: they count as one. */
function networkOf(address: string): string {
	if (!address.includes(":")) return address;
	const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
	const gap = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
	return [...head, ...gap, ...tail].slice(0, 4).join(":");
}
