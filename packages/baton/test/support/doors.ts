import { randomUUID } from "node:crypto";
import { connectGateway, type GatewayClient } from "@baton/gateway/client";
import type { Server } from "./baton";
import { allLines, type Line, textOf } from "./turn";

type Json = Record<string, unknown>;

/** A door as one owner uses it: every conversation by its session's id. */
export interface DoorUser {
	readonly name: string;
	/** Begins a conversation, and returns its session's id. */
	begin(text: string): Promise<string>;
	/** Says something in a conversation, and returns the answer. */
	say(sessionId: string, text: string): Promise<string>;
	/** What was said, by whom, as this door tells it. */
	messages(sessionId: string): Promise<string[]>;
}

export interface Doors {
	agentApi: DoorUser & { lines(body: Json): Promise<Line[]>; call(body: Json): Promise<Response> };
	gateway: DoorUser & { client: GatewayClient };
	a2a: DoorUser & {
		rpc(method: string, params: Json): Promise<Json>;
		stream(id: string): Promise<Json[]>;
	};
	close(): void;
}

const SHORT = 15_000;

/** The doors of a server that take keys, by the key of one owner. */
export function openDoors(server: Server, key: string): Doors {
	const gateway = gatewayOf(server, key);
	return {
		agentApi: agentApiOf(server, key),
		gateway,
		a2a: a2aOf(server, key),
		close: () => gateway.client.close(),
	};
}

function agentApiOf({ url }: Server, key: string): Doors["agentApi"] {
	const call = (body: Json) =>
		fetch(`${url}/agent-api/run`, {
			method: "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			body: JSON.stringify({ type: "agent.run", ...body }),
			signal: AbortSignal.timeout(SHORT),
		});
	const lines = async (body: Json) => allLines(await call(body));
	return {
		name: "agent API",
		call,
		lines,
		async begin(message) {
			const said = await lines({ message });
			return String(said.find(({ type }) => type === "init")?.session_id);
		},
		say: async (session_id, message) => textOf(await lines({ session_id, message })),
		async messages(session_id) {
			const said = await lines({ session_id, attach: true, follow: false, after: 0 });
			const runs = new Map<unknown, [string, string]>();
			for (const { type, run_id, content, role } of said) {
				if (type === "input_admitted") runs.set(run_id, [`user: ${content}`, "assistant: "]);
				const run = runs.get(run_id);
				if (run && type === "message" && role === "assistant") run[1] += content;
			}
			return [...runs.values()].flat();
		},
	};
}

function gatewayOf({ banner }: Server, token: string): Doors["gateway"] {
	const [, url = ""] = /Gateway +(ws:\/\/\S+)/.exec(banner) ?? [];
	const client = connectGateway({ url, token });
	const messages = async (sessionKey: string) =>
		(await client.call("chat.history", { sessionKey })).messages;
	const say = async (sessionKey: string, message: string) => {
		const { runId } = await client.call("chat.send", { sessionKey, message });
		await client.call("chat.wait", { sessionKey, runId, timeoutMs: SHORT });
		const said = await messages(sessionKey);
		return said.find((one) => one.runId === runId && one.role === "assistant")?.content ?? "";
	};
	return {
		name: "gateway",
		client,
		say,
		async begin(message) {
			const { sessionKey } = await client.call("sessions.create", {});
			await say(sessionKey, message);
			return sessionKey;
		},
		async messages(sessionKey) {
			return (await messages(sessionKey)).map(({ role, content }) => `${role}: ${content}`);
		},
	};
}

function a2aOf({ banner }: Server, key: string): Doors["a2a"] {
	const [, url = ""] = /A2A +(http:\/\/\S+)/.exec(banner) ?? [];
	const post = (method: string, params: Json) =>
		fetch(`${url}/agents/demo`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${key}`,
				"content-type": "application/json",
				"a2a-version": "1.0",
			},
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
			signal: AbortSignal.timeout(SHORT),
		});
	const rpc = async (method: string, params: Json) => {
		const { result, error } = (await (await post(method, params)).json()) as {
			result?: Json;
			error?: { message: string };
		};
		if (error) throw new Error(error.message);
		return result ?? {};
	};
	const send = async (text: string, contextId?: string) => {
		const message = {
			messageId: randomUUID(),
			role: "ROLE_USER",
			parts: [{ text }],
			...(contextId && { contextId }),
		};
		return (await rpc("SendMessage", { message })).task as Task;
	};
	return {
		name: "A2A",
		rpc,
		async stream(id) {
			const text = await (await post("SubscribeToTask", { id })).text();
			const lines = text.split("\n").filter((line) => line.startsWith("data:"));
			return lines.map((line) => (JSON.parse(line.slice(5)) as { result: Json }).result);
		},
		begin: async (text) => (await send(text)).contextId,
		say: async (contextId, text) => wordsOf(await send(text, contextId)),
		async messages(contextId) {
			const asked = { contextId, includeArtifacts: true };
			const { tasks = [] } = (await rpc("ListTasks", asked)) as { tasks?: Task[] };
			return tasks
				.toReversed()
				.flatMap((task) => [
					`user: ${task.history?.[0]?.parts[0]?.text}`,
					`assistant: ${wordsOf(task)}`,
				]);
		},
	};
}

interface Task {
	id: string;
	contextId: string;
	history?: { parts: { text?: string }[] }[];
	artifacts?: { parts: { text?: string }[] }[];
}

function wordsOf({ artifacts = [] }: Task): string {
	return artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");
}

interface PageMessage {
	role: string;
	parts: { type: string; text?: string }[];
	metadata?: Json;
}

/** The web app as its page uses it, for whoever opens it. */
export function openPage({ url }: Server) {
	const history = async (id: string) =>
		(await (await fetch(`${url}/api/chat/${id}`)).json()) as {
			messages?: PageMessage[];
			isRunning?: boolean;
		};
	const send = async (id: string, text: string) => {
		const message = { id: randomUUID(), role: "user", parts: [{ type: "text", text }] };
		const response = await fetch(`${url}/api/chat`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ id, messages: [message] }),
		});
		if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
		return response;
	};
	const say = async (id: string, text: string) => {
		const lines = (await (await send(id, text)).text()).split("\n");
		const chunks = lines.filter((line) => line.startsWith("data: {"));
		return chunks
			.map((line) => (JSON.parse(line.slice(6)) as { delta?: string }).delta ?? "")
			.join("");
	};
	const words = ({ parts }: PageMessage) => parts.map(({ text = "" }) => text).join("");
	return {
		name: "web",
		history,
		send,
		say,
		async chats() {
			const { chats } = (await (await fetch(`${url}/api/chats`)).json()) as {
				chats: { id: string; title: string }[];
			};
			return chats;
		},
		async messages(id: string) {
			const { messages = [] } = await history(id);
			return messages.map((message) => `${message.role}: ${words(message)}`);
		},
	};
}
