import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Message, Part, StreamResponse, Task } from "@a2a-js/sdk";
import { Role, TaskState } from "@a2a-js/sdk";
import {
	type Client,
	ClientFactory,
	DefaultAgentCardResolver,
	JsonRpcTransportFactory,
	RestTransportFactory,
} from "@a2a-js/sdk/client";
import { type Agent, ApiKeys, type SessionValue, Turns, type TurnsOptions } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore, type Store } from "@baton/session";
import { type A2aDoor, type A2aDoorOptions, createA2aDoor } from "../../src/door";

export const ADA = "ada-key-0123456789abcdef";
export const BOB = "bob-key-0123456789abcdef";

export interface DoorFixture {
	url: string;
	door: A2aDoor;
	turns: Turns;
	store: Store;
	warnings: string[];
	close(): Promise<void>;
}

type DoorSettings = Partial<Omit<A2aDoorOptions, "store">> & {
	store?: Store;
	agent?: Agent;
	others?: Agent[];
	turnSettings?: Partial<TurnsOptions>;
};

/** The door over a store, on a port of loopback. */
export async function openDoor(settings: DoorSettings = {}): Promise<DoorFixture> {
	const { agent = createDemoAgent(), others = [], turnSettings, ...options } = settings;
	const store = options.store ?? (await openStore({ driver: "memory" }));
	const sessions = store.collection<SessionValue>("sessions");
	const warnings: string[] = [];
	const log = {
		warn: (details: Record<string, unknown>, message: string) => {
			warnings.push(`${message} ${String(details.error ?? details.reason ?? "")}`);
		},
	};
	const all = [agent, ...others];
	const turns = new Turns({
		sessions,
		agents: (name) => all.find((one) => one.name === name) ?? agent,
		holder: "test",
		log,
		...turnSettings,
	});
	let url = "";
	const door = createA2aDoor({
		turns,
		sessions,
		keys: [ApiKeys.parse(`ada:${ADA},bob:${BOB}`)],
		agents: all.map(({ name }) => ({
			name,
			description: `The agent ${name}.`,
		})) as unknown as A2aDoorOptions["agents"],
		url: () => url,
		version: "0.0.0",
		ratePerMinute: 100_000,
		refusedPerMinute: 100_000,
		holder: "test",
		log,
		...options,
		store,
	});
	const server = createServer(door.listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		door,
		turns,
		store,
		warnings,
		async close() {
			server.close();
			server.closeAllConnections();
			await door.close();
			await turns.close();
			if (!settings.store) await store.close();
		},
	};
}

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

/** Asks which pet, as Agentforce's Inquire does: the turn ends, and the next message answers. */
export const asking: Agent = {
	name: "asking",
	recovery: "fail",
	async *run({ input }) {
		if (input.content === "I want a pet") {
			yield { type: "progress", message: "Looking at pets" };
			yield { type: "message", role: "assistant", content: "Cat or dog?" };
			yield { type: "input_required", reason: "inquire" };
			return undefined;
		}
		yield { type: "message", role: "assistant", content: "You get a " };
		yield { type: "retract", reason: "validation" };
		yield { type: "message", role: "assistant", content: `A ${input.content} it is.` };
		yield { type: "citations", references: [{ link: "https://pets.example" }] };
		return undefined;
	},
};

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

export async function collect(updates: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
	const all: StreamResponse[] = [];
	for await (const update of updates) all.push(update);
	return all;
}

/** The text of a task's artifacts. */
export function textOf(task: Task): string {
	return task.artifacts.flatMap(({ parts }) => parts.map(textOfPart)).join("");
}

/**
 * The text that a reader of a stream has at its end. `dropsAppend`: the SDK's client for 0.3 over REST
 * loses `append` on the way in, though it stands on the wire.
 */
export function streamedText(updates: readonly StreamResponse[], dropsAppend = false): string {
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
		const before = payload.value.append || dropsAppend ? (artifacts.get(artifactId) ?? "") : "";
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
