import { redisEnvironment } from "./environment";
import { MemoryStore } from "./memory-store";
import { RedisStore } from "./redis-store";
import type { SharedSessionStore } from "./store";

export { BatonStore } from "./baton-store";
export { MemoryStore } from "./memory-store";
export { RedisStore, type RedisStoreOptions } from "./redis-store";
export type { SessionLog } from "./session-log";
export {
	type NewSessionMapping,
	SessionManager,
	type SessionManagerOptions,
	type SessionMapping,
	type TaskState,
} from "./session-manager";
export { DEFAULT_TENANT } from "./session-mapping";
export type { Hold, MappingChange, SessionStore, SharedSessionStore } from "./store";

/** The store that the environment asks for: Redis where there is an address of one, else memory. */
export function createSessionStore(): SharedSessionStore {
	return redisEnvironment() ? new RedisStore() : new MemoryStore();
}
