import { describe, expect, it } from "vitest";
import { findRedisAddress, REDIS_VARIABLES } from "./redis-address";

describe("findRedisAddress", () => {
	it("takes the first of the five variables that is set", () => {
		const order = [
			"REDIS_TLS_URL",
			"REDIS_URL",
			"KV_URL",
			"UPSTASH_REDIS_TLS_URL",
			"UPSTASH_REDIS_URL",
		];
		expect(REDIS_VARIABLES).toEqual(order);
		const env: Record<string, string | undefined> = Object.fromEntries(
			order.map((name) => [name, `redis://${name.toLowerCase()}`]),
		);
		for (const variable of order) {
			expect(findRedisAddress(env)).toEqual({
				variable,
				url: `redis://${variable.toLowerCase()}`,
			});
			delete env[variable];
		}
		expect(findRedisAddress(env)).toBeNull();
	});

	it("passes over empty ones, and drops white space around", () => {
		const env = { REDIS_TLS_URL: "", REDIS_URL: "  ", KV_URL: " redis://kv:1 \n" };
		expect(findRedisAddress(env)).toEqual({ variable: "KV_URL", url: "redis://kv:1" });
	});
});
