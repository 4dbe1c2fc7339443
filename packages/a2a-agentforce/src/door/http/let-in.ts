import type { IncomingMessage, ServerResponse } from "node:http";
import { Caller } from "../caller";
import { type Keys, ownerOf } from "./authenticate";
import { JwtOwners, type JwtRules } from "./jwt-owners";
import { RateLimit } from "./rate-limit";
import { Refusal } from "./send-error";

interface LetInOptions {
	/** Who may call. Asked in this order. */
	keys: readonly Keys[];
	jwt?: JwtRules | undefined;
	/** Requests a minute for each owner, and for callers without a valid key. */
	ratePerMinute: number;
	refusedPerMinute: number;
	/** Whether nothing new is taken any more. */
	isDraining: () => boolean;
}

/** Lets a request in under its owner's name, or rejects with a refusal. */
export type LetIn = (request: IncomingMessage, response: ServerResponse) => Promise<Caller>;

/** Who is not let in reaches nothing: it stands before the SDK and everything else. */
export function createLetIn(options: LetInOptions): LetIn {
	const perOwner = new RateLimit(options.ratePerMinute);
	const refused = new RateLimit(options.refusedPerMinute);
	const jwt = options.jwt && new JwtOwners(options.jwt);
	return async (request, response) => {
		const owner = await ownerOf(request.headers, options.keys, jwt);
		const wait = owner === null ? await refused.take("anyone") : await perOwner.take(owner);
		if (wait !== null) {
			const message = `Too many requests; try again in ${wait} s.`;
			throw new Refusal("RESOURCE_EXHAUSTED", message, { "Retry-After": String(wait) });
		}
		if (owner === null) {
			const message = "Send a valid key as Authorization: Bearer <key>.";
			throw new Refusal("UNAUTHENTICATED", message, { "WWW-Authenticate": "Bearer" });
		}
		if (options.isDraining() && request.method === "POST") {
			const headers = { "Retry-After": "1", Connection: "close" };
			throw new Refusal("UNAVAILABLE", "The server is stopping; try again.", headers);
		}
		return new Caller(owner, response);
	};
}
