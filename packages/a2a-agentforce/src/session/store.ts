import type { SessionMapping } from "./session-mapping";

/**
 * What becomes of a mapping, or of null where there is none. Returns the new one, or null to leave
 * all as it is. Must be pure: it runs again when another writer came first.
 */
export type MappingChange = (session: SessionMapping | null) => SessionMapping | null;

/**
 * Where mappings are kept. What goes in and what comes out are copies. A store that cannot be
 * reached rejects with a `BatonError` that is `retryable`, and serves again when it is back.
 */
export interface SessionStore {
	get(contextId: string): Promise<SessionMapping | null>;
	set(contextId: string, session: SessionMapping): Promise<void>;
	/** Merges atomically; `lastActivity` is now unless given. Rejects with `not_found`. */
	update(contextId: string, updates: Partial<SessionMapping>): Promise<void>;
	delete(contextId: string): Promise<void>;
	getByTaskId(taskId: string): Promise<SessionMapping | null>;
	/** Removes mappings whose last activity is older, and says how many. */
	cleanup(maxAgeSec: number): Promise<number>;
	/**
	 * Changes a mapping atomically, across every process that shares the store, and returns it as it
	 * is then. Without this method a `SessionManager` is atomic within its own process alone.
	 */
	change?(contextId: string, change: MappingChange): Promise<SessionMapping | null>;
}

/** A store for many callers: tenants apart, and one request at a time in each context. */
export interface SharedSessionStore extends SessionStore {
	change(contextId: string, change: MappingChange): Promise<SessionMapping | null>;
	/** The same store as another tenant sees it: nothing is in both. */
	forTenant(tenantId: string): SharedSessionStore;
	/**
	 * Waits until nobody else, in any process, holds the context. Rejects with the signal's reason,
	 * with `busy` when it takes too long, and with `not_found` when there is no mapping.
	 */
	hold(contextId: string, signal: AbortSignal): Promise<Hold>;
}

/** The right to talk to a context's Agentforce session. */
export interface Hold {
	/** Aborted when the right was lost: stop at once, somebody else may have it. */
	readonly lost: AbortSignal;
	release(): Promise<void>;
}
