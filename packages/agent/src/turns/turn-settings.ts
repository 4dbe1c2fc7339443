import type { Collection } from "@baton/session";
import type { Agent } from "../agent";
import type { SessionValue } from "./session-value";

/** Finds an agent by its name. Throws an `AgentFailure` that says why when it cannot serve. */
export type AgentSource = (name: string) => Agent;

/** Where the turn layer reports what it cannot tell anyone else. */
export interface TurnLog {
	warn(details: Record<string, unknown>, message: string): void;
}

export interface TurnSettings {
	sessions: Collection<SessionValue>;
	agents: AgentSource;
	/** Names this process to people who look at a lease. */
	holder: string;
	/** How long a lease lasts. A dead runner is noticed after this and a sweep. */
	leaseMs: number;
	/** How often each process looks for turns whose runner is gone. */
	sweepMs: number;
	/** Attempts at one turn before its losing runners is held to be its own fault. */
	maxAttempts: number;
	/** How long an agent may take to stop. */
	stopMs: number;
	/** How long a turn may take at all. */
	turnMs: number;
	/** How long a client may take to answer a request. */
	answerMs: number;
	/** How long events are kept after their turn has ended, for readers who come late. */
	keepEventsMs: number;
	/** How many of them at the most. */
	keepEvents: number;
	/** How long a session lives after its last turn. Undefined: for ever. */
	sessionTtlMs?: number;
	log: TurnLog;
}

export const DEFAULT_TURN_SETTINGS = {
	leaseMs: 2_000,
	sweepMs: 400,
	maxAttempts: 3,
	stopMs: 2_000,
	turnMs: 30 * 60_000,
	answerMs: 10 * 60_000,
	keepEventsMs: 24 * 60 * 60_000,
	keepEvents: 100_000,
} as const;
