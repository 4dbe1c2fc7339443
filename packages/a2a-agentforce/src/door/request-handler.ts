import type {
	AgentCard,
	CancelTaskRequest,
	DeleteTaskPushNotificationConfigRequest,
	GetExtendedAgentCardRequest,
	GetTaskPushNotificationConfigRequest,
	GetTaskRequest,
	ListTaskPushNotificationConfigsRequest,
	ListTaskPushNotificationConfigsResponse,
	ListTasksRequest,
	ListTasksResponse,
	SendMessageRequest,
	StreamResponse,
	SubscribeToTaskRequest,
	Task,
	TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { asA2aError } from "./a2a-error";
import { Caller } from "./caller";
import { readMessage } from "./message-input";
import type { PushConfigs } from "./push/push-configs";
import { shapedPushConfig } from "./request-shapes";
import { taskResponse } from "./task/follow-task";
import { withHistoryLength } from "./task/history-length";
import type { FoundTask } from "./task/task-index";
import type { OpenTask, Tasks } from "./tasks";

interface HandlerParts {
	/** Which agent's tasks these are. */
	agent: string;
	card: () => AgentCard;
	extendedCard: (owner: string) => AgentCard;
	tasks: Tasks;
	push: PushConfigs;
	onFailure: (error: unknown) => void;
}

/** A2A's methods for one agent, as the SDK's transports call them: 1.0 and 0.3 alike. */
export class AgentRequestHandler implements A2ARequestHandler {
	readonly #parts: HandlerParts;

	constructor(parts: HandlerParts) {
		this.#parts = parts;
	}

	async getAgentCard(): Promise<AgentCard> {
		return this.#parts.card();
	}

	getAuthenticatedExtendedAgentCard(
		_: GetExtendedAgentCardRequest,
		context: ServerCallContext,
	): Promise<AgentCard> {
		return this.#answer(context, async ({ owner }) => this.#parts.extendedCard(owner));
	}

	sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Task> {
		return this.#answer(context, async (caller) => {
			const open = await this.#send(request, caller, context);
			const { configuration } = request;
			if (configuration?.returnImmediately) await open.indexed;
			const task = configuration?.returnImmediately
				? await this.#parts.tasks.read(open.found)
				: await this.#parts.tasks.waitUntil("resting", open, caller.gone);
			return withHistoryLength(task, configuration?.historyLength);
		});
	}

	sendMessageStream(
		request: SendMessageRequest,
		context: ServerCallContext,
	): AsyncGenerator<StreamResponse, void, undefined> {
		return this.#stream(context, async (caller) => {
			const open = await this.#send(request, caller, context);
			const { historyLength } = request.configuration ?? {};
			const updates = this.#parts.tasks.follow("resting", open, caller.gone);
			return withShortHistory(updates, historyLength);
		});
	}

	getTask(request: GetTaskRequest, context: ServerCallContext): Promise<Task> {
		return this.#answer(context, async (caller) => {
			const task = await this.#parts.tasks.read(await this.#find(caller, request.id));
			return withHistoryLength(task, request.historyLength);
		});
	}

	listTasks(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
		return this.#answer(context, async ({ owner }) => {
			const page = await this.#parts.tasks.list({ owner, agent: this.#parts.agent }, request);
			const tasks = page.tasks.map((task) => withHistoryLength(task, request.historyLength));
			return { ...page, tasks };
		});
	}

	cancelTask(request: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
		return this.#answer(context, async (caller) => {
			const found = await this.#find(caller, request.id);
			try {
				return await this.#parts.tasks.cancel(found, caller.gone);
			} finally {
				await this.#goesOn(found);
			}
		});
	}

	resubscribe(
		request: SubscribeToTaskRequest,
		context: ServerCallContext,
	): AsyncGenerator<StreamResponse, void, undefined> {
		return this.#stream(context, async (caller) =>
			this.#parts.tasks.subscribe(await this.#find(caller, request.id), caller.gone),
		);
	}

	createTaskPushNotificationConfig(
		request: TaskPushNotificationConfig,
		context: ServerCallContext,
	): Promise<TaskPushNotificationConfig> {
		return this.#answer(context, async (caller) => {
			const config = shapedPushConfig(request);
			const found = await this.#find(caller, config.taskId);
			return this.#parts.push.save(found, config, context.requestedVersion);
		});
	}

	getTaskPushNotificationConfig(
		request: GetTaskPushNotificationConfigRequest,
		context: ServerCallContext,
	): Promise<TaskPushNotificationConfig> {
		return this.#answer(context, async (caller) =>
			this.#parts.push.get(await this.#find(caller, request.taskId), request.id),
		);
	}

	listTaskPushNotificationConfigs(
		request: ListTaskPushNotificationConfigsRequest,
		context: ServerCallContext,
	): Promise<ListTaskPushNotificationConfigsResponse> {
		return this.#answer(context, async (caller) => ({
			configs: await this.#parts.push.list(await this.#find(caller, request.taskId)),
			nextPageToken: "",
		}));
	}

	deleteTaskPushNotificationConfig(
		request: DeleteTaskPushNotificationConfigRequest,
		context: ServerCallContext,
	): Promise<void> {
		return this.#answer(context, async (caller) =>
			this.#parts.push.delete(await this.#find(caller, request.taskId), request.id),
		);
	}

	/** Stores the message, and the webhook that goes with it, which is checked before either. */
	async #send(
		request: SendMessageRequest,
		{ owner }: Caller,
		context: ServerCallContext,
	): Promise<OpenTask> {
		const { tasks, push, agent } = this.#parts;
		const message = readMessage(request.message);
		const given = request.configuration?.taskPushNotificationConfig;
		const config = given && shapedPushConfig(given);
		const talk = { owner, agent };
		const isReply = message.taskId !== "";
		if (config) await push.check(config);
		if (config && isReply) await push.checkRoom(await tasks.find(talk, message.taskId), config);
		const open = await tasks.send(talk, message);
		if (config) await push.save(open.found, config, context.requestedVersion);
		else if (isReply) await this.#goesOn(open.found);
		return open;
	}

	/** The message is stored already: should this fail, webhooks are told later. */
	async #goesOn(found: FoundTask): Promise<void> {
		await this.#parts.push.goesOn(found).catch(this.#parts.onFailure);
	}

	#find({ owner }: Caller, taskId: unknown): Promise<FoundTask> {
		return this.#parts.tasks.find({ owner, agent: this.#parts.agent }, taskId);
	}

	async #answer<T>(context: ServerCallContext, work: (caller: Caller) => Promise<T>): Promise<T> {
		try {
			return await work(callerOf(context));
		} catch (error) {
			throw asA2aError(error, this.#parts.onFailure);
		}
	}

	/** What fails before the first event is an error; after it, the answer is cut. */
	async *#stream(
		context: ServerCallContext,
		open: (caller: Caller) => Promise<AsyncGenerator<StreamResponse, unknown, undefined>>,
	): AsyncGenerator<StreamResponse, void, undefined> {
		const caller = callerOf(context);
		let begun = false;
		try {
			for await (const update of await open(caller)) {
				yield update;
				begun = true;
				await caller.ready();
			}
		} catch (error) {
			const known = asA2aError(error, this.#parts.onFailure);
			if (!begun) throw known;
			caller.cut();
		}
	}
}

function callerOf({ user, tenant }: ServerCallContext): Caller {
	// The door lets nobody in without one; should that ever fail, nobody is served.
	if (!(user instanceof Caller)) throw new UnsupportedOperationError("Who calls is not known.");
	if (tenant) throw new RequestMalformedError("This server has no tenants: leave it out.");
	return user;
}

async function* withShortHistory(
	updates: AsyncGenerator<StreamResponse, unknown, undefined>,
	historyLength: number | undefined,
): AsyncGenerator<StreamResponse, void, undefined> {
	for await (const update of updates) {
		const { payload } = update;
		if (payload?.$case === "task")
			yield taskResponse(withHistoryLength(payload.value, historyLength));
		else yield update;
	}
}
