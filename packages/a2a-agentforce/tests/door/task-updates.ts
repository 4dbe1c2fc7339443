import { type Part, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";

export const {
	TASK_STATE_CANCELED: CANCELED,
	TASK_STATE_COMPLETED: COMPLETED,
	TASK_STATE_FAILED: FAILED,
	TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED,
	TASK_STATE_WORKING: WORKING,
} = TaskState;

export async function collect(updates: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
	const all: StreamResponse[] = [];
	for await (const update of updates) all.push(update);
	return all;
}

/** The text of a task's artifacts. */
export function textOf(task: Task): string {
	return task.artifacts.flatMap(({ parts }) => parts.map(textOfPart)).join("");
}

/** The text that a reader of a stream has at its end. `isAppended`: every piece is, whatever it says. */
export function streamedText(updates: readonly StreamResponse[], isAppended = false): string {
	const artifacts = new Map<string, string>();
	for (const { payload } of updates) {
		if (payload?.$case === "task") {
			artifacts.clear();
			for (const { artifactId, parts } of payload.value.artifacts) {
				artifacts.set(artifactId, parts.map(textOfPart).join(""));
			}
		}
		if (payload?.$case !== "artifactUpdate" || !payload.value.artifact) continue;
		const { artifactId, parts } = payload.value.artifact;
		const before = payload.value.append || isAppended ? (artifacts.get(artifactId) ?? "") : "";
		artifacts.set(artifactId, before + parts.map(textOfPart).join(""));
	}
	return [...artifacts.values()].join("");
}

function textOfPart({ content }: Part): string {
	return content?.$case === "text" ? content.value : "";
}

export function statesOf(updates: readonly StreamResponse[]): (number | undefined)[] {
	return updates.flatMap(({ payload }) => {
		if (payload?.$case === "task") return [payload.value.status?.state];
		return payload?.$case === "statusUpdate" ? [payload.value.status?.state] : [];
	});
}
