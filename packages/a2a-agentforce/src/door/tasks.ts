import {
	type ListTasksRequest,
	type ListTasksResponse,
	type Message,
	type StreamResponse,
	type Task,
	TaskState,
} from "@a2a-js/sdk";
import {
	RequestMalformedError,
	TaskNotCancelableError,
	TaskNotFoundError,
	UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { SessionValue, Turns } from "@baton/agent";
import { type Collection, type Store, withinTime } from "@baton/session";
import { findContext, findOrCreateContext, type Talk } from "./find-context";
import { inputOf } from "./message-input";
import { answerOf } from "./request-answer";
import { adoptTurns } from "./task/adopt-turns";
import { followTask, taskResponse, type Until } from "./task/follow-task";
import { listTasks } from "./task/list-tasks";
import { firstMessageKey, replyKey } from "./task/message-key";
import { foldTask, readTask } from "./task/read-task";
import { isTerminal, TaskFold } from "./task/task-fold";
import { boundRequest, type FoundTask, TaskIndex, type TaskRecord } from "./task/task-index";

const TASK_ID = /^[A-Za-z0-9_-]{1,128}$/;
/** How long a cancel waits for the end that it asked for: an agent has two seconds to stop. */
const CANCEL_MS = 15_000;

interface TasksOptions {
	turns: Turns;
	sessions: Collection<SessionValue>;
	store: Store;
}

/** A task that a message went to, and what of it lies behind the reader already. */
export interface OpenTask {
	found: FoundTask;
	fold: TaskFold;
	/** A new task is told of when it can be found; until then, its turn may begin. */
	indexed?: Promise<void>;
}

/**
 * Tasks over turns: a context is a session, a task is a turn of it, and what a task is its log says.
 * So any instance may serve any call on any task.
 */
export class Tasks {
	readonly #turns: Turns;
	readonly #sessions: Collection<SessionValue>;
	readonly #index: TaskIndex;

	constructor({ turns, sessions, store }: TasksOptions) {
		this.#turns = turns;
		this.#sessions = sessions;
		this.#index = new TaskIndex(store);
	}

	/** Stores a message: as a new task, or as an answer to one that waits. */
	async send(talk: Talk, message: Message): Promise<OpenTask> {
		if (message.taskId !== "") return this.#reply(await this.find(talk, message.taskId), message);
		const input = inputOf(message);
		const { contextId, messageId } = message;
		const { agent, ttlMs, ...context } = await findOrCreateContext(this.#source, talk, {
			contextId,
			messageId,
			text: input.content,
		});
		const idempotencyKey = firstMessageKey(messageId);
		const { runId, seq, repeated } = await this.#turns.send(
			context.sessionId,
			{ ...input, ...(agent && { agent }) },
			{ idempotencyKey },
		);
		const record = { ...talk, ...context, messageId, seq };
		const found = { ...record, taskId: runId };
		const indexed = this.#indexTask(found, record, ttlMs);
		// Whoever answers waits for it; should nobody answer, there is nobody to tell.
		indexed.catch(() => {});
		if (!repeated) return { found, fold: newFold(found), indexed };
		await indexed;
		return this.open(found);
	}

	async #indexTask(
		{ taskId, sessionId }: FoundTask,
		record: TaskRecord,
		ttlMs: number | null | undefined,
	): Promise<void> {
		const lives =
			ttlMs === undefined ? ((await this.#sessions.get(sessionId))?.ttlMs ?? null) : ttlMs;
		await this.#index.add(taskId, record, lives);
	}

	async find({ owner, agent }: Talk, taskId: unknown): Promise<FoundTask> {
		if (typeof taskId !== "string" || taskId.trim() === "") {
			throw new RequestMalformedError("The task's id is needed.");
		}
		const found = TASK_ID.test(taskId) ? await this.#index.find(owner, agent, taskId) : null;
		if (!found) throw new TaskNotFoundError("There is no such task.");
		return found;
	}

	/** The task with everything that has happened to it so far. */
	async open(found: FoundTask): Promise<OpenTask> {
		const fold = await foldTask(this.#sessions, found, { untilCut: true });
		return { found, fold: fold ?? newFold(found) };
	}

	async read(found: FoundTask): Promise<Task> {
		const task = await readTask(this.#sessions, found);
		await this.#noteCancel(found, task);
		return task;
	}

	/** Of a context that is named, also turns that came through other doors: they are tasks as well. */
	async list(talk: Talk, request: ListTasksRequest): Promise<ListTasksResponse> {
		const { contextId } = request;
		const context = contextId ? await findContext(this.#sessions, talk, contextId) : null;
		const index = this.#index;
		const sessions = this.#sessions;
		const others = context ? await adoptTurns(index, sessions, { ...talk, ...context }) : [];
		return listTasks({ ...talk, index, sessions, others }, request);
	}

	/** The task itself, then everything that happens to it: once, in order. */
	async *follow(
		until: Until,
		{ found, fold, indexed }: OpenTask,
		signal: AbortSignal,
	): AsyncGenerator<StreamResponse, TaskFold | null, undefined> {
		if (fold.found) yield taskResponse(fold.startFromSnapshot());
		const updates = followTask(this.#source, found, fold, { until, signal });
		try {
			const [first] = await Promise.all([updates.next(), indexed]);
			if (first.done) return first.value;
			yield first.value;
			return yield* updates;
		} finally {
			await updates.return(null);
		}
	}

	/** The task as it stands, then every later event once, to its end. */
	async subscribe(
		found: FoundTask,
		signal: AbortSignal,
	): Promise<AsyncGenerator<StreamResponse, unknown, undefined>> {
		const fold = await foldTask(this.#sessions, found, { untilCut: true });
		if (!fold || fold.ended) {
			throw new UnsupportedOperationError("The task has ended: get it instead.");
		}
		return this.follow("ended", { found, fold }, signal);
	}

	/** The task once it has ended or waits for its caller, or as it is when the signal is aborted. */
	async waitUntil(
		until: Until,
		{ found, fold, indexed }: OpenTask,
		signal: AbortSignal,
	): Promise<Task> {
		const updates = followTask(this.#source, found, fold, { until, signal });
		for (;;) {
			const { done, value } = await updates.next();
			if (!done) continue;
			await indexed;
			return value ? value.task() : this.read(found);
		}
	}

	/** Stops the agent wherever it runs, and waits for the end. */
	async cancel(found: FoundTask, signal: AbortSignal): Promise<Task> {
		const fold = await foldTask(this.#sessions, found);
		if (fold?.state === TaskState.TASK_STATE_CANCELED) return fold.task();
		if (!fold || fold.ended) throw new TaskNotCancelableError("The task has ended already.");
		const open = fold.openRuns.length > 0 ? fold.openRuns : [fold.lastRun];
		for (const runId of open) {
			await this.#turns.abort(found.sessionId, runId, "The caller cancelled the task.");
		}
		const after = await withinTime(CANCEL_MS, signal, (inTime) =>
			this.waitUntil("ended", { found, fold }, inTime),
		);
		await this.#noteCancel(found, after);
		if (after.status && isTerminal(after.status.state)) {
			if (after.status.state === TaskState.TASK_STATE_CANCELED) return after;
			throw new TaskNotCancelableError("The task ended before it could be cancelled.");
		}
		return after;
	}

	/** A message to a task: the answer to a request of its agent's, or to a question it ended with. */
	async #reply(found: FoundTask, message: Message): Promise<OpenTask> {
		if (message.contextId !== "" && message.contextId !== found.contextId) {
			throw new RequestMalformedError("The task belongs to another contextId.");
		}
		const bound = boundRequest(found, message.messageId);
		if (bound !== undefined) return this.#answer(found, message, bound);
		const fold = await foldTask(this.#sessions, found);
		const repeated = fold?.hasReply(message.messageId) ?? false;
		if (!fold || (fold.ended && !repeated)) {
			throw new UnsupportedOperationError("The task has ended: send the message without a taskId.");
		}
		// Once it is in the record, its run has been: the log may have forgotten its key.
		if (repeated && isReply(found, message)) return this.open(found);
		if (repeated) return this.#sendReply(found, message);
		if (fold.pending.length > 0) {
			const { requestId } = answerOf(message, fold.pending);
			return this.#answer(
				found,
				message,
				await this.#index.bindAnswer(found.taskId, message.messageId, requestId),
			);
		}
		if (fold.resting) return this.#sendReply(found, message);
		throw new UnsupportedOperationError("The task is at work: wait for it, or cancel it.");
	}

	/** Gives the agent the answer to the request that the message is bound to: now, or again. */
	async #answer(found: FoundTask, message: Message, requestId: string): Promise<OpenTask> {
		const answer = answerOf(message, [{ requestId }]);
		if (answer.requestId !== requestId) {
			throw new RequestMalformedError("This messageId was used to answer another request.");
		}
		await this.#turns.respond(found.sessionId, answer);
		return this.open(found);
	}

	async #sendReply(found: FoundTask, message: Message): Promise<OpenTask> {
		const idempotencyKey = replyKey(found.taskId, message.messageId);
		const { messageId } = message;
		const input = inputOf(message);
		const { runId } = await this.#turns.send(found.sessionId, input, { idempotencyKey });
		await this.#index.addReply(found.taskId, { runId, messageId });
		const open = await this.open(found);
		const whole = open.fold.isCut ? await foldTask(this.#sessions, found) : open.fold;
		// The task was cancelled while the reply was on its way.
		if (!whole?.hasReply(messageId)) await this.#turns.abort(found.sessionId, runId);
		return open;
	}

	/** A cancel of a task that waited is in no row of the transcript: it would be forgotten in time. */
	async #noteCancel({ taskId, end }: FoundTask, { status }: Task): Promise<void> {
		if (end || status?.state !== TaskState.TASK_STATE_CANCELED) return;
		await this.#index.noteEnd(taskId, { state: status.state, at: status.timestamp ?? "" });
	}

	get #source() {
		return { turns: this.#turns, sessions: this.#sessions };
	}
}

function isReply({ replies = [] }: FoundTask, { messageId }: Message): boolean {
	return replies.some((reply) => reply.messageId === messageId);
}

function newFold({ taskId, contextId }: FoundTask): TaskFold {
	return new TaskFold({ taskId, contextId });
}
