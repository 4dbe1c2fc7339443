import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import {
	freePort,
	type RedisServer,
	requirePart,
	startRedis,
	type TempDir,
	tempDir,
} from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRedisStore } from "../../src/redis";

const run = promisify(execFile);
const parts = [requirePart("redis-server"), requirePart("openssl")];

describe.skipIf(parts.includes(false))("Redis over TLS", () => {
	let folder: TempDir;
	let redis: RedisServer;
	let url: string;
	beforeAll(async () => {
		folder = await tempDir();
		const key = join(folder.path, "key.pem");
		const certificate = join(folder.path, "certificate.pem");
		await run("openssl", [
			...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
			...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
			...["-keyout", key, "-out", certificate],
		]);
		const tlsPort = await freePort();
		redis = await startRedis({
			extraConfig: {
				"tls-port": `${tlsPort}`,
				"tls-cert-file": certificate,
				"tls-key-file": key,
				"tls-ca-cert-file": certificate,
				"tls-auth-clients": "no",
			},
		});
		url = `rediss://127.0.0.1:${tlsPort}`;
	});
	afterAll(async () => {
		await redis.stop();
		await folder.remove();
	});

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
