import type { SessionMapping, TaskState } from "./session-mapping";

/** Tasks that a mapping knows, newest ones. A door that needs older ones keeps them itself. */
const MAX_TASKS = 100;
/** Room for the artifacts of a mapping's tasks together, in characters of JSON. */
const MAX_ARTIFACTS = 200_000;

/** The mapping with one more task, and without the oldest when there are too many. */
export function withTask(session: SessionMapping, taskId: string): SessionMapping {
	if (session.a2aTaskIds.includes(taskId)) return session;
	const a2aTaskIds = [...session.a2aTaskIds, taskId].slice(-MAX_TASKS);
	const kept = Object.entries(session.taskStates ?? {}).filter(([id]) => a2aTaskIds.includes(id));
	return {
		...session,
		a2aTaskIds,
		...(session.taskStates && { taskStates: Object.fromEntries(kept) }),
	};
}

/** The mapping with what a task is now. The newest task's is also the mapping's own. */
export function withTaskState(
	session: SessionMapping,
	taskId: string,
	{ state, artifacts }: TaskState,
): SessionMapping {
	const earlier = session.taskStates?.[taskId];
	const known = artifacts ?? earlier?.artifacts;
	const taskState: TaskState = { state, ...(known && { artifacts: known }) };
	const taskStates = boundArtifacts(session.a2aTaskIds, {
		...session.taskStates,
		[taskId]: taskState,
	});
	if (taskId !== session.a2aTaskIds.at(-1)) return { ...session, taskStates };
	const { artifacts: _, ...rest } = session;
	const shown = taskStates[taskId]?.artifacts;
	return { ...rest, taskStates, lastTaskState: state, ...(shown && { artifacts: shown }) };
}

/** Keeps artifacts from the newest task backwards, as far as there is room. */
function boundArtifacts(
	taskIds: readonly string[],
	states: Record<string, TaskState>,
): Record<string, TaskState> {
	const bounded: Record<string, TaskState> = {};
	let room = MAX_ARTIFACTS;
	for (const taskId of [...taskIds].reverse()) {
		const task = states[taskId];
		if (!task) continue;
		room -= task.artifacts ? JSON.stringify(task.artifacts).length : 0;
		bounded[taskId] =
			task.artifacts && room < 0 ? { state: task.state, artifactsOmitted: true } : task;
	}
	return bounded;
}
