import { randomUUID } from "node:crypto";
import type { Collection, Store } from "@baton/session";
import { openFilesStore } from "@baton/session/files";
import { openMemoryStore } from "@baton/session/memory";
import { openRedisStore } from "@baton/session/redis";
import { requirePart, startRedis, tempDir } from "@baton/testkit";
import { openRelayStore, type RelayStore, type RelayStoreOptions } from "../src/relay";

/** One relay as two processes see it; memory and files have one process alone. */
export interface TwoRelays {
	a: RelayStore;
	b: RelayStore;
	/** The agent sessions. */
	sessions: Collection;
	/** What is stored of a relay session. */
	relays: Collection;
	close(): Promise<void>;
}

export interface StoreUnderTest {
	name: string;
	available: boolean;
	open(options?: RelayStoreOptions): Promise<TwoRelays>;
}

function twoRelays(
	one: Store,
	two: Store,
	options: RelayStoreOptions | undefined,
	close: () => Promise<void>,
): TwoRelays {
	return {
		a: openRelayStore(one, options),
		b: openRelayStore(two, options),
		sessions: one.collection("sessions"),
		relays: one.collection("relays", { recordKey: "relay:session" }),
		close,
	};
}

export const memory: StoreUnderTest = {
	name: "memory",
	available: true,
	async open(options) {
		const store = openMemoryStore();
		return twoRelays(store, store, options, () => store.close());
	},
};

const files: StoreUnderTest = {
	name: "files",
	available: true,
	async open(options) {
		const folder = await tempDir();
		const store = await openFilesStore({ dir: folder.path });
		return twoRelays(store, store, options, async () => {
			await store.close();
			await folder.remove();
		});
	},
};

export const redis: StoreUnderTest = {
	name: "redis, two stores",
	available: requirePart("redis-server"),
	async open(options) {
		const server = await startRedis();
		const prefix = `${randomUUID()}:`;
		const one = await openRedisStore({ url: server.url, prefix });
		const two = await openRedisStore({ url: server.url, prefix });
		return twoRelays(one, two, options, async () => {
			await one.close();
			await two.close();
			await server.stop();
		});
	},
};

export const stores = [memory, files, redis];

/** A new agent session, with a token for a page and one for an agent. */
export async function newSession({ a, sessions }: TwoRelays, runId?: string) {
	const agentSessionId = randomUUID();
	await sessions.create(agentSessionId, {});
	const run = { ...(runId !== undefined && { runId }) };
	const page = await a.createRelaySession({ agentSessionId });
	const agent = await a.createRelaySession({ agentSessionId, role: "agent", ...run });
	return { agentSessionId, page, agent };
}
