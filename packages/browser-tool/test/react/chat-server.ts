import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bundle } from "../support/bundle";

type Part = Record<string, unknown> & { type: string; toolCallId?: string; state?: string };
interface Message {
	id: string;
	role: string;
	parts: Part[];
}

interface Posted {
	chat: string;
	/** The tool parts of the last message, as the page sent them. */
	tools: Part[];
}

const FORM = `<form onsubmit="event.preventDefault(); sent.push(Object.fromEntries(new FormData(this)))">
	<label>Name <input name="name"></label>
	<label>Email <input name="email" type="email"></label>
	<button>Send</button>
</form>`;

/**
 * A chat whose agent reads the form, fills it and sends it, one leg per post. It keeps the messages,
 * as a server would, and can forget, repeat or refuse.
 */
export async function startChatServer(alias: Record<string, string>) {
	const script = await bundle("react/chat-app.tsx", { alias });
	const chats = new Map<string, Message[]>();
	const claims = new Map<string, string>();
	const posts: Posted[] = [];
	const claimed: { toolCallId: string; claimId: string }[] = [];
	const settings = {
		/** Answers to claims, instead of the true ones. */
		claimAnswer: undefined as string | undefined,
		/** How many claims fail before one is answered. */
		failingClaims: 0,
		/** Posts with a tool's output that are lost on their way. */
		losePosts: 0,
	};

	const server = createServer(async (request, response) => {
		const url = new URL(request.url!, "http://page.test");
		const chat = url.searchParams.get("chat") ?? "";
		if (url.pathname === "/") return page(response);
		if (url.pathname === "/app.js") return send(response, "text/javascript", script);
		if (url.pathname === "/history") {
			return send(response, "application/json", JSON.stringify(chats.get(chat) ?? []));
		}
		if (url.pathname === "/claim") return claim(await read(request), response);
		const resumed = /^\/api\/chat\/([^/]+)\/stream$/.exec(url.pathname);
		if (resumed) return replay(resumed[1]!, response);
		if (url.pathname === "/api/chat") return post(await read(request), response);
		response.writeHead(404).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;

	function post({ id, messages }: { id: string; messages: Message[] }, response: ServerResponse) {
		const last = messages.at(-1)!;
		const tools = last.parts.filter(({ type }) => type.startsWith("tool-"));
		posts.push({ chat: id, tools });
		if (tools.length > 0 && settings.losePosts > 0) {
			settings.losePosts--;
			return response.writeHead(503).end();
		}
		const answer: Message =
			last.role === "assistant" ? last : { id: `answer-${id}`, role: "assistant", parts: [] };
		const parts = nextLeg(id, answer.parts);
		chats.set(id, [
			...messages.filter((message) => message !== answer),
			{ ...answer, parts: [...answer.parts, ...parts] },
		]);
		stream(response, answer.id, parts);
	}

	/** The last message from its start, as a turn that runs is sent again. */
	function replay(id: string, response: ServerResponse) {
		const last = chats.get(id)?.at(-1);
		const waits = last?.parts.some(({ state }) => state === "input-available");
		if (!last || !waits) return response.writeHead(204).end();
		stream(response, last.id, last.parts);
	}

	function claim(asked: { toolCallId: string; claimId: string }, response: ServerResponse) {
		claimed.push(asked);
		if (settings.failingClaims > 0) {
			settings.failingClaims--;
			return response.writeHead(503).end();
		}
		const holder = claims.get(asked.toolCallId) ?? asked.claimId;
		claims.set(asked.toolCallId, holder);
		const answer = settings.claimAnswer ?? (holder === asked.claimId ? "run" : "taken");
		send(response, "application/json", JSON.stringify({ answer }));
	}

	return {
		url: `http://127.0.0.1:${port}/`,
		posts,
		claimed,
		settings,
		/** A chat of before, whose last message waits for a tool. */
		hold(id: string) {
			const answer = { id: `answer-${id}`, role: "assistant", parts: nextLeg(id, []) };
			const question = { id: "q", role: "user", parts: [{ type: "text", text: "fill it" }] };
			chats.set(id, [question, answer]);
		},
		/** The outputs of a tool that pages have posted in a chat. */
		outputs: (chat: string, tool: string) =>
			posts
				.filter((one) => one.chat === chat)
				.map(({ tools }) => tools.at(-1))
				.filter((part) => part?.type === `tool-${tool}`),
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** What the agent says and asks next, given what the page has done so far. */
function nextLeg(chat: string, parts: Part[]): Part[] {
	const call = (tool: string, input: unknown): Part => ({
		type: `tool-${tool}`,
		toolCallId: `${chat}-${tool}`,
		state: "input-available",
		input,
	});
	const output = (tool: string) => parts.find(({ type }) => type === `tool-${tool}`);
	const looked = output("getFormSnapshot");
	const acted = output("executeFormActions");
	if (!looked) {
		return [{ type: "text", text: "Looking. " }, call("getFormSnapshot", { instruction: "read" })];
	}
	if (acted || looked.state === "output-error") return [{ type: "text", text: "Done." }];
	const { fields } = looked.output as { fields: { fieldId: string; label: string }[] };
	const idOf = (label: string) => fields.find((field) => field.label === label)?.fieldId;
	const actions = [
		{ action: "fill", fieldId: idOf("Name"), value: "Ada" },
		{ action: "fill", fieldId: idOf("Email"), value: "ada@example.org" },
		{ action: "click", fieldId: idOf("Send") },
	];
	const broken = chat.startsWith("broken");
	return [
		{ type: "text", text: "Filling. " },
		call("executeFormActions", broken ? { actions: "none" } : { actions, fields }),
	];
}

/** Parts in the wire's form of the AI SDK. */
function stream(response: ServerResponse, messageId: string, parts: Part[]): void {
	const chunks: unknown[] = [{ type: "start", messageId }, { type: "start-step" }];
	for (const [index, part] of parts.entries()) {
		const { toolCallId, input } = part;
		const id = `${messageId}-${index}`;
		if (part.type === "text") {
			chunks.push(
				{ type: "text-start", id },
				{ type: "text-delta", id, delta: part.text },
				{ type: "text-end", id },
			);
			continue;
		}
		if (!part.type.startsWith("tool-")) continue;
		const toolName = part.type.slice(5);
		chunks.push({ type: "tool-input-available", toolCallId, toolName, input });
		if (part.state === "output-available") {
			chunks.push({ type: "tool-output-available", toolCallId, output: part.output });
		}
	}
	chunks.push({ type: "finish-step" }, { type: "finish" });
	response.writeHead(200, {
		"content-type": "text/event-stream",
		"x-vercel-ai-ui-message-stream": "v1",
	});
	for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	response.end("data: [DONE]\n\n");
}

function page(response: ServerResponse): void {
	const body = `${FORM}<div id="chat"></div><script>sent = []</script><script src="/app.js"></script>`;
	send(response, "text/html", `<!doctype html><title>Form</title><body>${body}</body>`);
}

function send(response: ServerResponse, type: string, body: string): void {
	response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
}

async function read(request: IncomingMessage) {
	let body = "";
	for await (const chunk of request.setEncoding("utf8")) body += chunk;
	return JSON.parse(body);
}
