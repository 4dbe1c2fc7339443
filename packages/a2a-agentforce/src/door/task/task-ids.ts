export interface TaskIds {
	/** The id of the task's first run. */
	taskId: string;
	/** What the caller knows its session by. */
	contextId: string;
}
