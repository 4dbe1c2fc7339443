import type { SessionMapping } from "./session-mapping";

/** Where mappings are kept. What goes in and what comes out are copies. */
export interface SessionStore {
	get(contextId: string): Promise<SessionMapping | null>;
	set(contextId: string, session: SessionMapping): Promise<void>;
	update(contextId: string, updates: Partial<SessionMapping>): Promise<void>;
	delete(contextId: string): Promise<void>;
	getByTaskId(taskId: string): Promise<SessionMapping | null>;
	/** Removes mappings whose last activity is older, and says how many. */
	cleanup(maxAgeSec: number): Promise<number>;
}
