import type { Session, SessionMeta } from "./session";

/** A page of sessions, newest first. */
export interface SessionPage {
	sessions: SessionMeta[];
	/** For the next page; null when this was the last. */
	cursor: string | null;
}

/** Where sessions are kept: plain files, or the session core. Keys that reach it are UUIDs. */
export interface SessionSource {
	create(key: string, agentId: string): Promise<Session>;
	get(key: string): Promise<Session | null>;
	page(options: { limit: number; cursor?: string }): Promise<SessionPage>;
}

/** The agent of a session for which none is named. */
export const DEFAULT_AGENT = "assistant";
