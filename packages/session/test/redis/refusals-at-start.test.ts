import { freePort, requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { openRedisStore } from "../../src/redis";
import { errorOf, SECRET, useRefusingRedis } from "./use-refusing-redis";

describe.skipIf(!requirePart("redis-server"))("a Redis that refuses", () => {
	const on = useRefusingRedis();

	describe("at start", () => {
		const startError = (url: string) => errorOf(openRedisStore({ url, timeoutMs: 1_000 }));

		it("does not answer: the error names the address without the password", async () => {
			const port = await freePort();
			for (const [scheme, path] of [
				["redis", ""],
				["redis+cluster", ""],
				["redis+sentinel", "/main"],
			]) {
				const error = await startError(`${scheme}://user:${SECRET}@127.0.0.1:${port}${path}`);
				expect(error.code).toBe("unavailable");
				expect(error.message).toContain(`${scheme}://127.0.0.1:${port}${path}`);
				expect(error.message).toContain("correct the address");
			}
		});

		it("hangs: the error comes within the time given", async () => {
			on.redis.pause();
			const started = performance.now();
			const error = await startError(on.redis.url);
			expect(error.code).toBe("unavailable");
			expect(error.message).toContain(on.redis.url);
			expect(performance.now() - started).toBeLessThan(4_000);
			on.redis.resume();
		});

		it("wants another password: the error says so", async () => {
			await on.raw.config("SET", "requirepass", "right");
			const wrong = await startError(`redis://:${SECRET}@127.0.0.1:${on.redis.port}`);
			expect(wrong).toMatchObject({ code: "unavailable" });
			expect(wrong.message).toContain(`redis://127.0.0.1:${on.redis.port}`);
			expect(wrong.message).toContain("WRONGPASS");
			const none = await startError(on.redis.url);
			expect(none.message).toContain("NOAUTH");
		});
	});
});
