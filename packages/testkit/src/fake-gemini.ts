import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One step of an answer. Steps are sent one after the other, each at once. */
export type FakeGeminiStep =
	| { text: string }
	| { call: { name: string; args: Record<string, unknown> } }
	/** Milliseconds, or something to wait for, before the next step. */
	| { wait: number | Promise<unknown> }
	/** Refuses the request. Only as the first step. */
	| { status: number; message: string }
	/** Cuts the connection in the middle of the answer. */
	| { cut: true };

/** A request for an answer, as the model's endpoint got it. */
export interface FakeGeminiRequest {
	readonly model: string;
	/** The conversation, oldest first: the text parts of each message, joined. */
	readonly messages: readonly { role: string; text: string }[];
	/** What tools returned, in the order of the conversation. */
	readonly toolResults: readonly { name: string; response: unknown }[];
	/** The names of the tools that the model may call. */
	readonly tools: readonly string[];
	/** True once the client has gone away before the answer was complete. */
	readonly aborted: boolean;
}

/** The answer to each request, in their order; or a function that decides. */
export type FakeGeminiScript =
	| readonly (readonly FakeGeminiStep[])[]
	| ((request: FakeGeminiRequest, index: number) => readonly FakeGeminiStep[]);

export interface FakeGemini {
	/** For `GOOGLE_GEMINI_BASE_URL`. */
	readonly url: string;
	readonly requests: readonly FakeGeminiRequest[];
	stop(): Promise<void>;
}

interface Body {
	contents?: { role?: string; parts?: Part[] }[];
	tools?: { functionDeclarations?: { name: string }[] }[];
}

interface Part {
	text?: string;
	functionResponse?: { name: string; response: unknown };
}

/** A model endpoint on loopback that speaks the Gemini API and answers as the script says. */
export async function startFakeGemini(script: FakeGeminiScript): Promise<FakeGemini> {
	const requests: { -readonly [K in keyof FakeGeminiRequest]: FakeGeminiRequest[K] }[] = [];
	const server = createServer(async (incoming, response) => {
		const body = JSON.parse((await readBody(incoming)) || "{}") as Body;
		const [, model, method] = /\/models\/([^:/]+):(\w+)/.exec(incoming.url ?? "") ?? [];
		// Side questions of a client, such as counting tokens, are no part of the script.
		if (method !== "streamGenerateContent") return sendJson(response, 200, { totalTokens: 1 });
		const request = { ...readRequest(model!, body), aborted: false };
		requests.push(request);
		response.on("close", () => {
			request.aborted = !response.writableFinished;
		});
		const index = requests.length - 1;
		const steps = typeof script === "function" ? script(request, index) : script[index];
		await answer(
			response,
			steps ?? [{ status: 500, message: `No answer ${index} in the script.` }],
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		async stop() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

async function answer(response: ServerResponse, steps: readonly FakeGeminiStep[]): Promise<void> {
	const [first] = steps;
	if (first && "status" in first) {
		const { status: code, message } = first;
		return sendJson(response, code, { error: { code, message, status: "FAILED" } });
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const step of steps) {
		if ("wait" in step) await (typeof step.wait === "number" ? sleep(step.wait) : step.wait);
		else if ("cut" in step) return void response.destroy();
		else if ("text" in step) send(response, { parts: [{ text: step.text }] });
		else if ("call" in step) send(response, { parts: [{ functionCall: step.call }] });
	}
	send(response, { parts: [{ text: "" }] }, "STOP");
	response.end();
}

function send(
	response: ServerResponse,
	content: { parts: unknown[] },
	finishReason?: string,
): void {
	const candidate = { content: { role: "model", ...content }, finishReason, index: 0 };
	const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
	response.write(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
}

function readRequest(model: string, body: Body): Omit<FakeGeminiRequest, "aborted"> {
	const contents = body.contents ?? [];
	return {
		model,
		messages: contents.map(({ role = "user", parts = [] }) => ({
			role,
			text: parts.map((part) => part.text ?? "").join(""),
		})),
		toolResults: contents
			.flatMap(({ parts = [] }) => parts)
			.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : [])),
		tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
			functionDeclarations.map(({ name }) => name),
		),
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}
