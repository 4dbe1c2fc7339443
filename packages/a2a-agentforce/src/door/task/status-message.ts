import { type Message, type Part, TaskState } from "@a2a-js/sdk";
import { agentMessage, dataPart, textPart } from "./parts";
import type { TaskEvent } from "./task-event";
import type { TaskIds } from "./task-ids";
import type { TaskRun } from "./task-run";

/** What goes with a state for people to read: a question, a reason, what is being done. */
export function statusMessage(
	ids: TaskIds,
	state: TaskState,
	run: TaskRun,
	progress: { seq: number; text: string } | null,
): Message | undefined {
	const say = (name: string, parts: Part[]) =>
		agentMessage({ messageId: `${ids.taskId}-${name}`, ...ids }, parts);
	switch (state) {
		case TaskState.TASK_STATE_INPUT_REQUIRED:
			return say(`ask-${run.artifactId}`, run.question ? asked(run, run.question) : requested(run));
		case TaskState.TASK_STATE_FAILED:
			return say("failed", failureParts(run.end));
		case TaskState.TASK_STATE_COMPLETED:
			return run.end?.notice ? say("notice", [textPart(run.end.notice)]) : undefined;
		case TaskState.TASK_STATE_WORKING:
			return progress ? say(`progress-${progress.seq}`, [textPart(progress.text)]) : undefined;
		default:
			return undefined;
	}
}

/** A question that the agent ended its turn with: what it said. */
function asked({ text }: TaskRun, { run_id: _, timestamp: __, ...question }: TaskEvent): Part[] {
	return [textPart(text || "The agent waits for an answer."), dataPart(question)];
}

/** Work that only the client can do; answered with a data part. */
function requested(run: TaskRun): Part[] {
	const requests = run.pending.map(({ run_id: _, timestamp: __, ...request }) => request);
	const text = requests
		.map(({ instruction }) => (typeof instruction === "string" ? instruction : ""))
		.find((words) => words !== "");
	return [textPart(text ?? "The agent waits for an action."), ...requests.map(dataPart)];
}

/** Failures that are not the agent's own words: their texts are for our log alone. */
const OUR_OWN = new Set([
	"internal",
	"unavailable",
	"closed",
	"corrupt",
	"store_full",
	"read_only",
	"not_replicated",
]);

function failureParts(end: TaskEvent | null): Part[] {
	const { type = "agent", message = "", retryable = false } = end?.error ?? {};
	const text = OUR_OWN.has(type) || message === "" ? "The agent failed." : message;
	return [textPart(text), dataPart({ type, retryable })];
}
