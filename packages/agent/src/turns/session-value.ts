import type { JsonObject } from "@baton/session";
import { EVENTS_LOG } from "../requests";

/** The record of a session. Field names are those of the gateway's `SessionMeta`, and added ones. */
export type SessionValue = JsonObject & {
	key: string;
	agentId: string;
	/** Wall time in Unix ms, for display. */
	createdAt: number;
	updatedAt: number;
	label?: string;
	owner: string;
	/** Through which door it was started, for display. */
	door: string;
	/** What each agent keeps between turns, by the agent's name. */
	memory: { [agent: string]: JsonObject };
	/** Every turn admitted up to this seq has ended, so nobody needs to read further back. */
	settledSeq: number;
	/** When that was noted last, in Unix ms. */
	settledAt?: number;
	/** Where the latest turn that has ended began. */
	latestTurnSeq: number;
};

/** The two logs of a session: what happens in its turns, and the messages that were committed. */
export const EVENTS = EVENTS_LOG;
export const TRANSCRIPT = "transcript";

/** The register that holds the id of the run that has started and not ended. */
export const RUN_REGISTER = "run";
