/** Which Agentforce session serves an A2A context, and what is known of the context's tasks. */
export interface SessionMapping {
	a2aContextId: string;
	/** Oldest first. */
	a2aTaskIds: string[];
	afSessionId: string;
	/** The number of the newest message to Agentforce. It counts from one in each session there. */
	afSequenceId: number;
	afAgentId: string;
	tenantId: string;
	/** Of the newest task; `taskStates` has each task's own. */
	lastTaskState?: object;
	artifacts?: object[];
	/** Milliseconds since 1970, as is `lastActivity`. */
	createdAt: number;
	lastActivity: number;
	/** A mapping that is not active is never used for a message again. */
	state: "active" | "completed" | "expired";
}
