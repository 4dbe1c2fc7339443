import {
	type Message,
	type Part,
	Role,
	type StreamResponse,
	type Task,
	TaskState,
} from "@a2a-js/sdk";
import {
	type Client,
	ClientFactory,
	DefaultAgentCardResolver,
	JsonRpcTransportFactory,
	RestTransportFactory,
} from "@a2a-js/sdk/client";
import { ADA } from "./door-fixture";
import { collect } from "./task-updates";

interface Binding {
	version: "1.0" | "0.3";
	transport: "JSONRPC" | "HTTP+JSON";
}

export const BINDINGS: Binding[] = [
	{ version: "1.0", transport: "JSONRPC" },
	{ version: "1.0", transport: "HTTP+JSON" },
	{ version: "0.3", transport: "JSONRPC" },
	{ version: "0.3", transport: "HTTP+JSON" },
];

/** The SDK's client for 0.3 over REST loses `append` on the way in, though it stands on the wire. */
export function dropsAppend({ version, transport }: Binding): boolean {
	return version === "0.3" && transport === "HTTP+JSON";
}

/** The SDK's client, as a user of this version and binding has it, with a key. */
export async function connect(
	url: string,
	{ version, transport }: Binding = { version: "1.0", transport: "JSONRPC" },
	key = ADA,
): Promise<Client> {
	const fetchImpl: typeof fetch = (input, init) => {
		const headers = new Headers(init?.headers);
		headers.set("authorization", `Bearer ${key}`);
		return fetch(input, { ...init, headers });
	};
	const legacyCompat = { enabled: true };
	// A client of 0.3 knows nothing of the newer addresses that the card names beside its own.
	const cardFetch: typeof fetch = async (input, init) => {
		const response = await fetch(input, { ...init, headers: { "A2A-Version": version } });
		const { supportedInterfaces, ...card } = (await response.json()) as Record<string, unknown>;
		return Response.json(version === "0.3" ? card : { ...card, supportedInterfaces });
	};
	const factory = new ClientFactory({
		transports: [
			new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
			new RestTransportFactory({ fetchImpl, legacyCompat }),
		],
		preferredTransports: [transport],
		cardResolver: new DefaultAgentCardResolver({ fetchImpl: cardFetch, legacyCompat }),
	});
	const client = await factory.createFromUrl(url.endsWith("/") ? url : `${url}/`);
	return client;
}

export function listTasks(client: Client, asked: object = {}) {
	return client.listTasks({
		tenant: "",
		contextId: "",
		status: TaskState.TASK_STATE_UNSPECIFIED,
		pageSize: undefined,
		pageToken: "",
		historyLength: undefined,
		statusTimestampAfter: undefined,
		includeArtifacts: undefined,
		...asked,
	});
}

export function getTask(client: Client, id: string): Promise<Task> {
	return client.getTask({ tenant: "", id, historyLength: undefined });
}

export function cancelTask(client: Client, id: string): Promise<Task> {
	return client.cancelTask({ tenant: "", id, metadata: undefined });
}

/** Follows a task from where it stands to where its stream ends. */
export function followTask(client: Client, id: string): Promise<StreamResponse[]> {
	return collect(client.resubscribeTask({ tenant: "", id }));
}

let messages = 0;

export function say(text: string, more: Partial<Message> = {}): Message {
	messages += 1;
	return {
		messageId: `m${messages}-${Math.random().toString(36).slice(2)}`,
		contextId: "",
		taskId: "",
		role: Role.ROLE_USER,
		parts: [part(text)],
		metadata: undefined,
		extensions: [],
		referenceTaskIds: [],
		...more,
	};
}

export function part(text: string): Part {
	return {
		content: { $case: "text", value: text },
		metadata: undefined,
		filename: "",
		mediaType: "",
	};
}

export function data(value: unknown): Part {
	return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "" };
}

export function request(message: Message, configuration: object = {}) {
	return {
		tenant: "",
		message,
		configuration: {
			acceptedOutputModes: [],
			taskPushNotificationConfig: undefined,
			historyLength: undefined,
			returnImmediately: false,
			...configuration,
		},
		metadata: undefined,
	};
}

export async function send(
	client: Client,
	message: Message,
	configuration: object = {},
): Promise<Task> {
	return (await client.sendMessage(request(message, configuration))) as Task;
}
