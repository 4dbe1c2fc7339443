import { type ListedSession, ndjsonParserStream } from "@baton/protocol";
import type { WebHost } from "../host/web-host";
import { WebError } from "../http/web-error";
import type { Line } from "./line";

/** No address of the network: requests are handed to the host, which looks at the path alone. */
const ORIGIN = "http://agent-api.invalid";

const PASSED_ON = ["content-type", "content-disposition", "cache-control", "x-accel-buffering"];

/** The agent API, as one visitor. */
export class AgentApiClient {
	readonly url = ORIGIN;
	readonly #agentApi: WebHost["agentApi"];
	readonly #owner: string;

	constructor(agentApi: WebHost["agentApi"], owner: string) {
		this.#agentApi = agentApi;
		this.#owner = owner;
	}

	/** For the provider. Wherever the server says that its relay is, it is this one's. */
	readonly fetch: typeof globalThis.fetch = async (input, init) => {
		const { pathname, search } = new URL(input instanceof Request ? input.url : input);
		const path = pathname.slice(Math.max(0, pathname.indexOf("/agent-api/")));
		const rest = input instanceof Request ? new Request(input, init) : init;
		const local = new Request(`${ORIGIN}${path}${search}`, rest);
		local.headers.set("baton-door", "web");
		return this.#agentApi.fetchAs(this.#owner, local);
	};

	/** Everything of the session's latest turns that is in the log now; null without such a session. */
	async read(sessionId: string, options: { after?: number } = {}): Promise<Line[] | null> {
		try {
			const lines: Line[] = [];
			for await (const line of this.#lines({ session_id: sessionId, follow: false, ...options })) {
				lines.push(line);
			}
			return lines;
		} catch (error) {
			if (error instanceof WebError && error.status === 404) return null;
			throw error;
		}
	}

	/** What comes after a line, until no turn runs. */
	follow(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<Line> {
		return this.#lines({ session_id: sessionId, after }, signal);
	}

	async stop(sessionId: string): Promise<void> {
		await this.#post("abort", { session_id: sessionId });
	}

	async claim(sessionId: string, requestId: string, claimId: string): Promise<void> {
		await this.#post("claim", { session_id: sessionId, request_id: requestId, claim_id: claimId });
	}

	async list(limit: number): Promise<ListedSession[]> {
		const response = await this.#call(`sessions?limit=${limit}`, {});
		return ((await response.json()) as { sessions: ListedSession[] }).sessions;
	}

	/** An answer that is passed on to the page as it is. */
	async get(path: string): Promise<Response> {
		const { body, headers } = await this.#call(path, {});
		const passed = PASSED_ON.flatMap((name) => {
			const value = headers.get(name);
			return value === null ? [] : [[name, value] as [string, string]];
		});
		return new Response(body, { headers: passed });
	}

	async *#lines(body: Record<string, unknown>, signal?: AbortSignal): AsyncGenerator<Line> {
		const asked = { type: "agent.run", attach: true, ...body };
		const response = await this.#post("run", asked);
		const reader = response.body!.pipeThrough(ndjsonParserStream()).getReader();
		// Wakes a read that waits for the next line.
		const leave = () => void reader.cancel().catch(() => {});
		signal?.addEventListener("abort", leave);
		try {
			while (!signal?.aborted) {
				const { done, value } = await reader.read();
				if (done) return;
				if (value.kind === "object") yield value.value as Line;
			}
		} finally {
			signal?.removeEventListener("abort", leave);
			leave();
		}
	}

	#post(path: string, body: unknown): Promise<Response> {
		return this.#call(path, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body),
		});
	}

	async #call(path: string, init: RequestInit): Promise<Response> {
		const response = await this.fetch(`${ORIGIN}/agent-api/${path}`, init);
		if (response.ok) return response;
		const { errorCode = "INTERNAL", message = "The agent API failed." } = (await response
			.json()
			.catch(() => ({}))) as { errorCode?: string; message?: string };
		throw new WebError(response.status, errorCode, message);
	}
}
