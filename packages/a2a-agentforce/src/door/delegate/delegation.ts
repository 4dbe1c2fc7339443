import { createHash, randomUUID } from "node:crypto";
import { type Message, type Part, Role, type Task, TaskState } from "@a2a-js/sdk";
import { type Collection, isBatonError, type JsonObject, type Store } from "@baton/session";
import { textPart } from "../task/parts";
import type { RemoteAgent } from "./remote-agents";
import type { RemoteClients } from "./remote-clients";

/** What a caller of `/api/v1/delegate` gets. */
interface Delegated {
	taskId: string;
	contextId: string;
	status: string;
	/** Everything that the agent said, as text. */
	response: string;
	artifacts: { artifactId: string; name: string; text: string; data: unknown[] }[];
}

type ContextRecord = JsonObject & { owner: string; alias: string };

const CONTEXT_TTL_MS = 30 * 24 * 3_600_000;

/** States as 0.3 names them, which is what an external service's schema can list. */
const STATUS: Partial<Record<TaskState, string>> = {
	[TaskState.TASK_STATE_SUBMITTED]: "submitted",
	[TaskState.TASK_STATE_WORKING]: "working",
	[TaskState.TASK_STATE_COMPLETED]: "completed",
	[TaskState.TASK_STATE_FAILED]: "failed",
	[TaskState.TASK_STATE_CANCELED]: "canceled",
	[TaskState.TASK_STATE_INPUT_REQUIRED]: "input-required",
	[TaskState.TASK_STATE_REJECTED]: "rejected",
	[TaskState.TASK_STATE_AUTH_REQUIRED]: "auth-required",
};

/**
 * Asks remote agents on their callers' behalf. All callers share a remote agent's token, so a context
 * there is open to the caller that began it, and to nobody else.
 */
export class Delegation {
	readonly #clients: RemoteClients;
	readonly #contexts: Collection<ContextRecord>;

	constructor(clients: RemoteClients, store: Store) {
		this.#clients = clients;
		this.#contexts = store.collection<ContextRecord>("a2a-delegations");
	}

	async isOwnContext(owner: string, alias: string, contextId: string): Promise<boolean> {
		return (await this.#contexts.get(recordId(owner, alias, contextId))) !== null;
	}

	async ask(
		owner: string,
		remote: RemoteAgent,
		{ message, contextId = "" }: { message: string; contextId?: string },
	): Promise<Delegated> {
		const client = await this.#clients.get(remote);
		const answer = await client.sendMessage({
			tenant: "",
			message: {
				messageId: randomUUID(),
				contextId,
				taskId: "",
				role: Role.ROLE_USER,
				parts: [textPart(message)],
				metadata: undefined,
				extensions: [],
				referenceTaskIds: [],
			},
			configuration: undefined,
			metadata: undefined,
		});
		const delegated = delegatedOf(answer);
		if (delegated.contextId !== "") await this.#note(owner, remote.alias, delegated.contextId);
		return delegated;
	}

	async #note(owner: string, alias: string, contextId: string): Promise<void> {
		const id = recordId(owner, alias, contextId);
		try {
			await this.#contexts.create(id, { owner, alias }, { ttlMs: CONTEXT_TTL_MS });
		} catch (error) {
			if (!isBatonError(error, "already_exists")) throw error;
			// A write renews it.
			await this.#contexts.update(id, (record) => record);
		}
	}
}

function delegatedOf(answer: Task | Message): Delegated {
	if (!("artifacts" in answer)) {
		const { taskId, contextId, parts } = answer;
		return { taskId, contextId, status: "completed", response: textIn(parts), artifacts: [] };
	}
	const artifacts = answer.artifacts.map(({ artifactId, name, parts }) => ({
		artifactId,
		name,
		text: textIn(parts),
		data: parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value] : [])),
	}));
	const said = artifacts.map(({ text }) => text).filter((text) => text !== "");
	const asked = textIn(answer.status?.message?.parts ?? []);
	return {
		taskId: answer.id,
		contextId: answer.contextId,
		status: STATUS[answer.status?.state ?? TaskState.UNRECOGNIZED] ?? "unknown",
		response: said.length > 0 ? said.join("\n\n") : asked,
		artifacts,
	};
}

function textIn(parts: readonly Part[]): string {
	return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

function recordId(owner: string, alias: string, contextId: string): string {
	return createHash("sha256")
		.update(JSON.stringify([owner, alias, contextId]))
		.digest("hex");
}
