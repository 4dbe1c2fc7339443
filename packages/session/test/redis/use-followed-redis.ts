import { type RedisServer, startRedis, startTcpProxy, type TcpProxy } from "@baton/testkit";
import { afterEach, beforeEach } from "vitest";
import type { Collection } from "../../src/port";
import { openRedisStore } from "../../src/redis";

/** Far longer than the tests, so that nothing here is seen by polling. */
const NO_POLL = 600_000;

/** A server for each test, and stores on it whose followers see by wake-ups alone. */
export function useFollowedRedis() {
	let redis: RedisServer;
	const open: { close(): Promise<void> }[] = [];
	beforeEach(async () => {
		redis = await startRedis({ appendOnly: true });
	});
	afterEach(async () => {
		for (const one of open.splice(0).reverse()) await one.close();
		await redis.stop();
	});

	return {
		get redis() {
			return redis;
		},
		closeAfter: (one: { close(): Promise<void> }) => open.push(one),
		async openSessions(url = redis.url): Promise<Collection> {
			const store = await openRedisStore({ url, pollMs: NO_POLL, timeoutMs: 20_000 });
			open.push(store);
			return store.collection("sessions");
		},
		async openProxy(): Promise<TcpProxy> {
			const proxy = await startTcpProxy({ targetPort: redis.port });
			open.push({ close: () => proxy.stop() });
			return proxy;
		},
	};
}
