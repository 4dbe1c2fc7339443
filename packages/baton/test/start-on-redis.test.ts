import {
	freePort,
	type RedisServer,
	requirePart,
	startRedis,
	startTcpProxy,
	type TcpProxy,
	type TempDir,
	tempDir,
} from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";

describe.skipIf(!requirePart("redis-server"))("baton start, on a Redis that comes and goes", () => {
	let home: TempDir;
	let redis: RedisServer;
	let proxy: TcpProxy;
	let server: Server | undefined;

	beforeEach(async () => {
		home = await tempDir();
		redis = await startRedis();
		proxy = await startTcpProxy({ targetPort: redis.port });
	});
	afterEach(async () => {
		await server?.process.stop();
		await proxy.stop();
		await redis.stop();
		await home.remove();
	});

	it("has all it needs of it before it answers anyone: later nothing ends the start", async () => {
		const port = await freePort();
		const address = `http://127.0.0.1:${port}/health`;
		const answers = () =>
			fetch(address).then(
				({ ok }) => ok,
				() => false,
			);
		const asked = proxy.dropNextReply((request) => request.includes("cookie-secret"));
		const starting = startServer({
			home: home.path,
			env: {
				REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
				BATON_PORT: String(port),
				BATON_WEB: "on",
			},
		});

		await asked;
		expect(await answers()).toBe(false);

		server = await starting;
		expect(await answers()).toBe(true);
	});
});
