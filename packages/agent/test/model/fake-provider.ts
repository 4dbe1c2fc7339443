import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProviderCall {
	readonly path: string;
	readonly headers: Record<string, string | string[] | undefined>;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into requests of several providers.
	readonly body: any;
	/** True once the client has gone away before the answer was complete. */
	aborted: boolean;
}

export interface FakeProvider {
	readonly url: string;
	readonly calls: ProviderCall[];
	stop(): Promise<void>;
}

/** A provider's endpoint on loopback that answers as it is told. */
export async function startFakeProvider(
	answer: (call: ProviderCall, response: ServerResponse, index: number) => void | Promise<void>,
): Promise<FakeProvider> {
	const calls: ProviderCall[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request.setEncoding("utf8")) body += chunk;
		const call: ProviderCall = {
			path: request.url ?? "",
			headers: request.headers,
			body: JSON.parse(body || "{}"),
			aborted: false,
		};
		calls.push(call);
		response.on("close", () => {
			call.aborted = !response.writableFinished;
		});
		await answer(call, response, calls.length - 1);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls,
		async stop() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

export function sendError(response: ServerResponse, status: number, message: string): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify({ error: { message, type: "error" } }));
}

/** The start of a chat completion's stream, as OpenAI and those compatible with it send it. */
export function sendDeltas(response: ServerResponse, deltas: Record<string, unknown>[]): void {
	if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
	for (const delta of deltas) sendChunk(response, [{ index: 0, delta, finish_reason: null }]);
}

/** Its end, with usage. */
export function sendFinish(response: ServerResponse, finish_reason = "stop"): void {
	sendChunk(response, [{ index: 0, delta: {}, finish_reason }]);
	const usage = {
		prompt_tokens: 12,
		completion_tokens: 7,
		total_tokens: 19,
		prompt_tokens_details: { cached_tokens: 4 },
	};
	sendChunk(response, [], usage);
	response.end("data: [DONE]\n\n");
}

function sendChunk(response: ServerResponse, choices: unknown[], usage?: unknown): void {
	const chunk = {
		id: "c1",
		object: "chat.completion.chunk",
		created: 1,
		model: "m",
		choices,
		usage,
	};
	response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** An answer of Anthropic's API; not `whole`, it ends where the text ends. */
export function sendAnthropic(response: ServerResponse, texts: string[], whole = true): void {
	const events = [
		{
			type: "message_start",
			message: {
				...{ id: "m1", type: "message", role: "assistant", model: "m", content: [] },
				...{ stop_reason: null, stop_sequence: null },
				usage: { input_tokens: 12, output_tokens: 1 },
			},
		},
		{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
		...texts.map((text) => ({
			type: "content_block_delta",
			index: 0,
			delta: { type: "text_delta", text },
		})),
		{ type: "content_block_stop", index: 0 },
		{
			type: "message_delta",
			delta: { stop_reason: "end_turn", stop_sequence: null },
			usage: { output_tokens: 7 },
		},
		{ type: "message_stop" },
	];
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const event of whole ? events : events.slice(0, -3)) {
		response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	}
	response.end();
}
