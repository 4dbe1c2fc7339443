import {
	type Message,
	type StreamResponse,
	type Task,
	TaskState,
	type TaskStatus,
} from "@a2a-js/sdk";
import type { LogEntry } from "@baton/session";
import { parseMessageKey } from "./message-key";
import { userMessage } from "./parts";
import { statusMessage } from "./status-message";
import { mentionsReply, mentionsRun, type TaskEvent, timeOf } from "./task-event";
import type { TaskIds } from "./task-ids";
import { TaskRun } from "./task-run";

const TERMINAL = new Set<TaskState>([
	TaskState.TASK_STATE_COMPLETED,
	TaskState.TASK_STATE_FAILED,
	TaskState.TASK_STATE_CANCELED,
	TaskState.TASK_STATE_REJECTED,
]);

export function isTerminal(state: TaskState): boolean {
	return TERMINAL.has(state);
}

/**
 * A task as a function of its session's log. The task is named after its first run; a run that
 * answers the task's question is of the task too. Feed it the entries from the first run's input on,
 * in order; a state that is terminal is never left.
 */
export class TaskFold {
	readonly ids: TaskIds;
	readonly #runs = new Map<string, TaskRun>();
	readonly #history: Message[] = [];
	readonly #replies = new Set<string>();
	#state = TaskState.TASK_STATE_UNSPECIFIED;
	#timestamp: string | undefined;
	#lastSeq = 0;
	#statusSeq = 0;
	#progress: { seq: number; text: string } | null = null;

	constructor(ids: TaskIds) {
		this.ids = ids;
	}

	/** Whether the first run's input was seen. */
	get found(): boolean {
		return this.#runs.size > 0;
	}

	get state(): TaskState {
		return this.#state;
	}

	get ended(): boolean {
		return isTerminal(this.#state);
	}

	/** Ended, or nothing goes on until the caller says something. */
	get resting(): boolean {
		return this.ended || this.#state === TaskState.TASK_STATE_INPUT_REQUIRED;
	}

	get statusTime(): string | undefined {
		return this.#timestamp;
	}

	/** The seq of the last entry that was fed. */
	get lastSeq(): number {
		return this.#lastSeq;
	}

	/** The seq of the entry that brought about the state. */
	get statusSeq(): number {
		return this.#statusSeq;
	}

	/** Runs that have not ended, in order. */
	get openRuns(): string[] {
		return [...this.#runs].filter(([, run]) => !run.ended).map(([runId]) => runId);
	}

	/** The last run, whether it ended or not. */
	get lastRun(): string {
		return [...this.#runs.keys()].at(-1) ?? this.ids.taskId;
	}

	/** Requests that wait for the client's answer. */
	get pending(): TaskEvent[] {
		return [...this.#runs.values()].flatMap((run) => run.pending);
	}

	/** Whether this message of the caller continued the task. */
	hasReply(messageId: string): boolean {
		return this.#replies.has(messageId);
	}

	/** Whether more was said than a snapshot has. */
	get isCut(): boolean {
		return [...this.#runs.values()].some((run) => run.isCut);
	}

	/** Takes an event of the task that the log no longer has, from what is known of it elsewhere. */
	restore(seq: number, event: TaskEvent): void {
		this.#lastSeq = seq;
		this.#take(event);
	}

	/** Entries up to this one are not of the task, or no longer there. */
	passOver(seq: number): void {
		this.#lastSeq = seq;
	}

	/** Takes an entry, and returns what a stream says about it. Text waits for `takePieces`. */
	feed(entry: LogEntry): StreamResponse[] {
		this.#lastSeq = entry.seq;
		if (this.ended) return [];
		const ofTask =
			mentionsRun(entry, this.#runs.keys()) ||
			mentionsReply(entry, this.ids.taskId) ||
			(this.#runs.size === 0 && mentionsRun(entry, [this.ids.taskId]));
		return ofTask ? this.#take((entry.event ?? {}) as TaskEvent) : [];
	}

	#take(event: TaskEvent): StreamResponse[] {
		if (event.type === "input_admitted") this.#admit(event);
		const run = this.#runs.get(event.run_id ?? "");
		if (!run) return [];
		const wasOver = run.ended;
		run.feed(event);
		// The bulk of a log, and nothing that changes a state.
		if (event.type === "message") return [];
		if (event.type === "progress") return this.#sayProgress(event);
		const cancelled = event.type === "abort_requested" && wasOver && this.openRuns.length === 0;
		return this.#move(event, cancelled ? TaskState.TASK_STATE_CANCELED : this.#currentState());
	}

	/** What was said since the last call, as one piece for each artifact that changed. */
	takePieces(): StreamResponse[] {
		return [...this.#runs.values()].flatMap((run) => {
			const piece = run.takePiece();
			const value = piece && { ...this.ids, ...piece, metadata: undefined };
			return value ? [{ payload: { $case: "artifactUpdate" as const, value } }] : [];
		});
	}

	/** The task as a stream begins with it: what comes after is told by pieces, once. */
	startFromSnapshot(): Task {
		const task = this.task(true);
		for (const run of this.#runs.values()) run.startFromSnapshot();
		return task;
	}

	/** `goesOn`: for a reader who gets the rest of a text that is cut here. */
	task(goesOn = false): Task {
		const artifacts = [...this.#runs.values()].flatMap((run) => run.snapshot(goesOn) ?? []);
		const { taskId: id, contextId } = this.ids;
		const history = [...this.#history];
		return { id, contextId, status: this.#status(), artifacts, history, metadata: undefined };
	}

	/** As seen by people: the last word of an agent that works. */
	#sayProgress({ message = "" }: TaskEvent): StreamResponse[] {
		if (this.#state !== TaskState.TASK_STATE_WORKING) return [];
		this.#progress = { seq: this.#lastSeq, text: message };
		return [this.#statusUpdate()];
	}

	#admit(event: TaskEvent): void {
		const { run_id: runId = "", content = "", document } = event;
		if (this.#runs.has(runId)) return;
		this.#runs.set(runId, new TaskRun(this.#runs.size + 1));
		const key = parseMessageKey(event.idempotency_key);
		if (key?.taskId !== undefined) this.#replies.add(key.messageId);
		const texts = [content, ...(document === undefined ? [] : [document])];
		this.#history.push(userMessage({ messageId: key?.messageId ?? runId, ...this.ids }, texts));
	}

	/** While a run is open the task is what that run is; else it is what the last one ended as. */
	#currentState(): TaskState {
		const runs = [...this.#runs.values()];
		const run = runs.find((one) => !one.ended) ?? runs.at(-1);
		const state = run?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
		// A task that works does not go back: its next run waits, the task does not.
		const goesOn = runs.length > 1 && state === TaskState.TASK_STATE_SUBMITTED;
		return goesOn ? TaskState.TASK_STATE_WORKING : state;
	}

	#move(event: TaskEvent, state: TaskState): StreamResponse[] {
		if (state === this.#state) return [];
		const pieces = isTerminal(state) ? this.takePieces() : [];
		this.#state = state;
		this.#statusSeq = this.#lastSeq;
		this.#timestamp = timeOf(event) ?? this.#timestamp;
		this.#progress = null;
		return [...pieces, this.#statusUpdate()];
	}

	#statusUpdate(): StreamResponse {
		const value = { ...this.ids, status: this.#status(), metadata: undefined };
		return { payload: { $case: "statusUpdate", value } };
	}

	#status(): TaskStatus {
		const run = this.#runs.get(this.openRuns[0] ?? this.lastRun);
		const message = run && statusMessage(this.ids, this.#state, run, this.#progress);
		return { state: this.#state, message, timestamp: this.#timestamp };
	}
}
