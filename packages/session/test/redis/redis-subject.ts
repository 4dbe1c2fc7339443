import { randomUUID } from "node:crypto";
import type { Store } from "../../src/port";
import { openRedisStore } from "../../src/redis";
import type { ContractSubject } from "../../src/testing";

/** The Redis driver as the contract sees it; each store has a prefix of its own. */
export function redisSubject(name: string, url: () => string): ContractSubject {
	return {
		name,
		durable: true,
		async open() {
			const prefix = `${randomUUID()}:`;
			const opened: Store[] = [];
			const openOne = async () => {
				const store = await openRedisStore({ url: url(), prefix });
				opened.push(store);
				return store;
			};
			const store = await openOne();
			return {
				store,
				openSecond: openOne,
				async reopen() {
					await store.close();
					return openOne();
				},
				async dispose() {
					for (const one of opened.splice(0)) await one.close();
				},
			};
		},
	};
}

export function clusterUrl(nodes: readonly { port: number }[]): string {
	return `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
}
