import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { AgentApi } from "./agent-api";
import { AgentforceError } from "./agentforce-error";
import { type AgentforceMessage, answerSchema, sessionSchema } from "./agentforce-message";
import {
	type AgentforceSettings,
	type AgentforceTimes,
	DEFAULT_TIMES,
} from "./agentforce-settings";
import { readStream } from "./read-stream";
import { parseJson, readText } from "./read-text";
import { TokenSource } from "./token-source";

export interface AgentforceClientOptions {
	times?: Partial<AgentforceTimes>;
	fetch?: typeof fetch;
}

export interface OutgoingMessage {
	sessionId: string;
	/** Grows with every message of the session; the same again when one is sent again. */
	sequenceId: number;
	text: string;
	inReplyToMessageId?: string;
	signal?: AbortSignal;
}

export type EndReason = "UserRequest" | "Transfer" | "Expiration" | "Error" | "Other";

/**
 * A client of the Agentforce Agent API. A session takes one request at a time: who sends must see
 * to that, in all processes together. Every failure is an `AgentforceError`, save an abort of the
 * caller's own signal, which rejects with its reason.
 */
export class AgentforceClient {
	readonly #settings: AgentforceSettings;
	readonly #times: AgentforceTimes;
	readonly #api: AgentApi;

	constructor(settings: AgentforceSettings, options: AgentforceClientOptions = {}) {
		const { times, fetch: fetchFn = fetch } = options;
		this.#settings = settings;
		this.#times = { ...DEFAULT_TIMES, ...times };
		const tokens = new TokenSource(settings, this.#times, fetchFn);
		this.#api = new AgentApi(settings, tokens, this.#times, fetchFn);
	}

	get agentId(): string {
		return this.#settings.agentId;
	}

	/** Starts a session. Its messages are the agent's greeting. */
	async startSession(
		signal?: AbortSignal,
	): Promise<{ sessionId: string; messages: AgentforceMessage[] }> {
		const response = await this.#api.call({
			method: "POST",
			path: `/agents/${encodeURIComponent(this.#settings.agentId)}/sessions`,
			body: {
				externalSessionKey: randomUUID(),
				instanceConfig: { endpoint: this.#settings.serverUrl },
				streamingCapabilities: { chunkTypes: ["Text"] },
				bypassUser: true,
			},
			timeoutMs: this.#times.callMs,
			signal,
		});
		return readAs(sessionSchema, response, this.#times.callMs, signal);
	}

	/** Sends a message and waits for the whole answer. */
	async send(message: OutgoingMessage): Promise<AgentforceMessage[]> {
		const response = await this.#post(message, "messages");
		return (await readAs(answerSchema, response, this.#times.answerMs, message.signal)).messages;
	}

	/** Sends a message; the answer comes as it is made. Leave it early, and the request is stopped. */
	async *stream(message: OutgoingMessage): AsyncGenerator<AgentforceMessage, void, undefined> {
		const response = await this.#post(message, "messages/stream");
		yield* readStream(response, this.#times.answerMs, message.signal);
	}

	/** Ends a session. One that is gone already is fine. */
	async endSession(
		sessionId: string,
		reason: EndReason,
		options: { timeoutMs?: number } = {},
	): Promise<void> {
		try {
			const response = await this.#api.call({
				method: "DELETE",
				path: `/sessions/${encodeURIComponent(sessionId)}`,
				headers: { "x-session-end-reason": reason },
				timeoutMs: options.timeoutMs ?? this.#times.callMs,
				once: options.timeoutMs !== undefined,
			});
			await response.body?.cancel();
		} catch (error) {
			if (!(error instanceof AgentforceError) || error.kind !== "session_gone") throw error;
		}
	}

	/** Says whether an answer was good. `feedbackId` is in its Inform. */
	async sendFeedback(
		sessionId: string,
		feedbackId: string,
		feedback: "GOOD" | "BAD",
	): Promise<void> {
		const response = await this.#api.call({
			method: "POST",
			path: `/sessions/${encodeURIComponent(sessionId)}/feedback`,
			body: { feedbackId, feedback },
			timeoutMs: this.#times.callMs,
		});
		await response.body?.cancel();
	}

	#post(message: OutgoingMessage, method: string): Promise<Response> {
		const { sessionId, sequenceId, text, inReplyToMessageId, signal } = message;
		return this.#api.call({
			method: "POST",
			path: `/sessions/${encodeURIComponent(sessionId)}/${method}`,
			...(method === "messages/stream" && { headers: { accept: "text/event-stream" } }),
			body: {
				message: {
					type: "Text",
					sequenceId,
					text,
					...(inReplyToMessageId !== undefined && { inReplyToMessageId }),
				},
				variables: [],
			},
			timeoutMs: this.#times.answerMs,
			signal,
		});
	}
}

async function readAs<T extends z.ZodType>(
	schema: T,
	response: Response,
	silenceMs: number,
	signal: AbortSignal | undefined,
): Promise<z.infer<T>> {
	const text = await readText(response, silenceMs, signal).catch((cause: unknown) => {
		signal?.throwIfAborted();
		throw cause instanceof AgentforceError
			? cause
			: new AgentforceError("failed", "The answer broke off.", { cause });
	});
	const body = schema.safeParse(parseJson(text));
	if (body.success) return body.data;
	throw new AgentforceError("garbled", "Agentforce answered something that is not of its API.", {
		details: text.slice(0, 200),
	});
}
