import { createHash } from "node:crypto";
import type { TaskState } from "@a2a-js/sdk";
import { type Collection, isBatonError, type JsonObject, type Store } from "@baton/session";

/** Where a task is found: in which session, from which seq on. What it is, its log says. */
export type TaskRecord = JsonObject & {
	owner: string;
	/** Whose task it is, or `OF_ANY_AGENT`. */
	agent: string;
	sessionId: string;
	contextId: string;
	/** Of its first message. */
	messageId: string;
	/** The seq of its first input. */
	seq: number;
	/** How it ended, once somebody has looked: an ended task never changes. A cancel is always noted. */
	end?: { state: TaskState; at: string };
	/** The runs that later messages started, in order. The newest of them. */
	replies?: { runId: string; messageId: string }[];
	/** Which request of the agent's each message answers, by the message's hash. The newest of them. */
	answers?: { [message: string]: string };
};

export type FoundTask = TaskRecord & { taskId: string };

/** The agent of a turn that came through another door: every agent of A2A knows it. */
export const OF_ANY_AGENT = "";

const PAGE = 1_000;
const MAX_ANSWERS = 100;
const MAX_REPLIES = 100;

/** The tasks of each owner and agent. A task of someone else is as absent as one that never was. */
export class TaskIndex {
	readonly #tasks: Collection<TaskRecord>;

	constructor(store: Store) {
		this.#tasks = store.collection<TaskRecord>("a2a-tasks");
	}

	/** Adding it again changes nothing. `ttlMs`: that of its session, where it has one. */
	async add(taskId: string, record: TaskRecord, ttlMs: number | null): Promise<void> {
		const group = groupOf(record.owner, record.agent);
		try {
			await this.#tasks.create(taskId, record, { group, ...(ttlMs !== null && { ttlMs }) });
		} catch (error) {
			if (!isBatonError(error, "already_exists")) throw error;
		}
	}

	async find(owner: string, agent: string, taskId: string): Promise<FoundTask | null> {
		const record = await this.#tasks.get(taskId);
		if (record?.value.owner !== owner) return null;
		if (record.value.agent !== agent && record.value.agent !== OF_ANY_AGENT) return null;
		return { ...record.value, taskId };
	}

	async noteEnd(taskId: string, end: NonNullable<TaskRecord["end"]>): Promise<void> {
		await this.#tasks.update(taskId, (record) => ({ ...record, end }));
	}

	/** A task that goes on lives on with its session. */
	async addReply(taskId: string, reply: { runId: string; messageId: string }): Promise<void> {
		await this.#tasks.update(taskId, (record) => {
			const others = (record.replies ?? []).filter(({ runId }) => runId !== reply.runId);
			return { ...record, replies: [...others, reply].slice(-MAX_REPLIES) };
		});
	}

	/**
	 * Binds a message to the request that it answers, and returns that request: the first one, however
	 * often the message comes. Done before the answer is given, so that none goes to a later request.
	 */
	async bindAnswer(taskId: string, messageId: string, requestId: string): Promise<string> {
		const message = hashOf(messageId);
		const { value } = await this.#tasks.update(taskId, (record) => {
			if (record.answers?.[message] !== undefined) return record;
			const others = Object.entries(record.answers ?? {}).slice(1 - MAX_ANSWERS);
			return { ...record, answers: { ...Object.fromEntries(others), [message]: requestId } };
		});
		return value.answers?.[message] ?? requestId;
	}

	/** Newest first by when they came, at most `limit`. */
	async list(owner: string, agent: string, limit: number): Promise<FoundTask[]> {
		const found: FoundTask[] = [];
		let cursor: string | null = null;
		do {
			const page = await this.#tasks.list({
				group: groupOf(owner, agent),
				limit: Math.min(PAGE, limit - found.length),
				...(cursor !== null && { cursor }),
			});
			found.push(...page.records.map(({ id, value }) => ({ ...value, taskId: id })));
			cursor = page.cursor;
		} while (cursor !== null && found.length < limit);
		return found;
	}
}

/** The request that a message was bound to. */
export function boundRequest({ answers }: TaskRecord, messageId: string): string | undefined {
	return answers?.[hashOf(messageId)];
}

function hashOf(messageId: string): string {
	return createHash("sha256").update(messageId).digest("base64url");
}

function groupOf(owner: string, agent: string): string {
	return `${owner}/${agent}`;
}
