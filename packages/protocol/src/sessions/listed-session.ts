/**
 * running: a turn is open. waiting: and it waits for a page's answer. The others say how the latest
 * turn ended; `new`: none has.
 */
export const SESSION_STATES = ["running", "waiting", "done", "failed", "stopped", "new"] as const;

export type SessionState = (typeof SESSION_STATES)[number];

/** A session as its owner sees it in a list. `session_id` is what the caller named it, if it did. */
export interface ListedSession {
	id: string;
	session_id: string;
	label?: string;
	agent: string;
	door: string;
	/** Wall time in Unix ms, for display. */
	created_at: number;
	updated_at: number;
}

/** The same, with what had to be looked up in its logs. */
export interface SessionRow extends ListedSession {
	state: SessionState;
	/** The last event's number. */
	last: number;
	last_words: { role: "user" | "assistant"; text: string } | null;
}

/** Where one session stands. */
export interface SessionDetails extends ListedSession {
	state: SessionState;
	/** Which events there are. Without any, `first` is `last` and one. */
	first: number;
	last: number;
	/** Every turn admitted up to here has ended. */
	settled: number;
	/** Which process drives it, the number of its lease, and how long that is still certain. */
	runner: { holder: string; token: number; remaining_ms: number } | null;
}
