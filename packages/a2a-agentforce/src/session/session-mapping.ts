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
	/** Of the newest task, as are `artifacts`; `taskStates` has each task's own. */
	lastTaskState?: object;
	artifacts?: object[];
	taskStates?: Record<string, TaskState>;
	/** Milliseconds since 1970, as is `lastActivity`. */
	createdAt: number;
	lastActivity: number;
	/** A mapping that is not active is never used for a message again. */
	state: "active" | "completed" | "expired";
}

/** What a task was last known to be. */
export interface TaskState {
	state: object;
	artifacts?: object[];
	/** True when the artifacts took too much room and are kept elsewhere alone. */
	artifactsOmitted?: true;
}

/** The tenant whose keys are as the seed has them. Other tenants' carry a prefix. */
export const DEFAULT_TENANT = "default";
