import { requirePart, startTlsRedis, type TlsRedis } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRedisStore } from "../../src/redis";

const parts = [requirePart("redis-server"), requirePart("openssl")];

describe.skipIf(parts.includes(false))("Redis over TLS", () => {
	let redis: TlsRedis;
	let url: string;
	beforeAll(async () => {
		redis = await startTlsRedis();
		url = redis.url;
	});
	afterAll(() => redis.stop());

	it("refuses a certificate that nobody vouches for", async () => {
		await expect(openRedisStore({ url, timeoutMs: 1_000 })).rejects.toMatchObject({
			code: "unavailable",
			message: expect.stringMatching(/rediss:.*self-signed certificate/),
		});
	});

	it("takes it where that is set, and works", async () => {
		const store = await openRedisStore({ url, rejectUnauthorized: false });
		const sessions = store.collection("sessions");
		await sessions.create("a", { over: "TLS" });
		const controller = new AbortController();
		const following = (async () => {
			for await (const { entries } of sessions.follow("a", "events", controller)) {
				if (entries.length > 0) return entries[0]?.event;
			}
		})();
		await sessions.append("a", "events", ["x"]);
		expect(await following).toBe("x");
		expect((await sessions.get("a"))?.value).toEqual({ over: "TLS" });
		await store.close();
	});

	it("does not speak TLS to a plain address", async () => {
		const plain = url.replace("rediss:", "redis:");
		await expect(openRedisStore({ url: plain, timeoutMs: 1_000 })).rejects.toMatchObject({
			code: "unavailable",
		});
	});
});
