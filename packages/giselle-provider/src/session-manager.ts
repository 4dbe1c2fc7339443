import type { Redis } from "ioredis";
import { createMemorySessions } from "./memory-sessions";
import { environment, findRedisUrl } from "./redis-address";
import type { SessionPort } from "./session-port";
import { Sessions } from "./sessions";
import type { SessionMetadata } from "./types";

export {
	getLiveConnection,
	removeLiveConnection,
	saveLiveConnection,
} from "./live-connections";

declare global {
	/** One client per process, also where a bundler has this module twice. */
	var __giselleProviderRedis: Redis | undefined;
	var __giselleProviderMemory: SessionPort | undefined;
}

let redisPort: { client: Redis; port: SessionPort } | undefined;

/** The store that the environment names: Redis, or else this process, which is said once. */
export async function defaultSessionPort(): Promise<SessionPort> {
	const open = globalThis.__giselleProviderRedis;
	if (open && open === redisPort?.client) return redisPort.port;
	const env = environment();
	const url = findRedisUrl(env);
	if (url === null && !globalThis.__giselleProviderRedis) {
		if (!globalThis.__giselleProviderMemory) {
			console.warn(
				"giselle-provider keeps its sessions in this process: set REDIS_URL to share them.",
			);
			globalThis.__giselleProviderMemory = createMemorySessions();
		}
		return globalThis.__giselleProviderMemory;
	}
	// Loaded only here, and by a name that edge runtimes resolve to something without Node.
	const { createRedis, createRedisSessions } = await import("#redis");
	const rejectUnauthorized = env.REDIS_TLS_REJECT_UNAUTHORIZED !== "false";
	globalThis.__giselleProviderRedis ??= createRedis(url ?? "", { rejectUnauthorized });
	const client = globalThis.__giselleProviderRedis;
	if (redisPort?.client !== client) redisPort = { client, port: createRedisSessions(client) };
	return redisPort.port;
}

const sessions = new Sessions(defaultSessionPort);

/** Stores the first metadata of a session, under the id that it carries. */
export async function createSession(metadata: SessionMetadata): Promise<void> {
	await sessions.create(metadata);
}

/** The session's metadata; null when it is missing or has expired. */
export async function loadSession(providerSessionId: string): Promise<SessionMetadata | null> {
	return sessions.load(providerSessionId);
}

/** Changes some fields, atomically, and sets the time to live anew. */
export async function updateSession(
	providerSessionId: string,
	updates: Partial<SessionMetadata>,
): Promise<void> {
	await sessions.update(providerSessionId, updates);
}

/** Deletes the session, and closes its live connection if it is in this process. */
export async function deleteSession(providerSessionId: string): Promise<void> {
	await sessions.delete(providerSessionId);
}

/** Closes the shared Redis client, so that a program can end. The next call opens another one. */
export async function closeSessions(): Promise<void> {
	const client = globalThis.__giselleProviderRedis;
	globalThis.__giselleProviderRedis = undefined;
	redisPort = undefined;
	await client?.quit().catch(() => client.disconnect());
}
