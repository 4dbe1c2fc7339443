import { setTimeout as pause } from "node:timers/promises";
import { abortable } from "../abortable";
import { AgentforceError } from "./agentforce-error";
import {
	AGENT_API_PATH,
	AGENT_API_URL,
	type AgentforceSettings,
	type AgentforceTimes,
} from "./agentforce-settings";
import { errorOfFetch, errorOfStatus } from "./api-errors";
import { readText } from "./read-text";
import type { TokenSource } from "./token-source";

interface ApiCall {
	method: "POST" | "DELETE";
	/** After the API's version: `/sessions/…`. */
	path: string;
	headers?: Record<string, string>;
	body?: unknown;
	/** Until the head of the answer. */
	timeoutMs: number;
	signal?: AbortSignal;
	/** True: what failed is not tried again. */
	once?: boolean;
}

/** How often a call is made again, for each reason. */
interface Tries {
	token: boolean;
	unavailable: boolean;
	rateLimited: number;
	busyUntil: number;
}

/**
 * Calls of the Agent API, with the token and the second tries that the API asks for:
 * 401, a new token, once · 423, until the session is free · 429, as it says, up to three times ·
 * 502, 503, 504 and no connection, once. A body is sent as it was, its sequence number too.
 */
export class AgentApi {
	readonly #base: string;
	readonly #tokens: TokenSource;
	readonly #times: AgentforceTimes;
	readonly #fetch: typeof fetch;

	constructor(
		settings: AgentforceSettings,
		tokens: TokenSource,
		times: AgentforceTimes,
		fetchFn: typeof fetch,
	) {
		this.#base = `${settings.apiUrl ?? AGENT_API_URL}${AGENT_API_PATH}`;
		this.#tokens = tokens;
		this.#times = times;
		this.#fetch = fetchFn;
	}

	/** The answer, once it is one of success. Its body is the caller's to read or to cancel. */
	async call(call: ApiCall): Promise<Response> {
		let token = await abortable(this.#tokens.get(), call.signal);
		const tries: Tries = {
			token: true,
			unavailable: true,
			rateLimited: 3,
			busyUntil: performance.now() + this.#times.busyMs,
		};
		for (let delayMs = this.#times.pauseMs; ; delayMs = Math.min(delayMs * 2, 5_000)) {
			call.signal?.throwIfAborted();
			const { response, error } = await this.#send(call, token);
			if (response) return response;
			if (error.kind === "unauthorized" && tries.token) {
				tries.token = false;
				token = await abortable(this.#tokens.get(token), call.signal);
				continue;
			}
			const waitMs = call.once ? null : this.#waitBeforeNext(error, tries, delayMs);
			if (waitMs === null) throw error;
			await pause(waitMs, undefined, { signal: call.signal }).catch(() =>
				call.signal?.throwIfAborted(),
			);
		}
	}

	/** Null: that was the last try. */
	#waitBeforeNext(error: ApiFailure, tries: Tries, delayMs: number): number | null {
		if (error.kind === "busy") return performance.now() < tries.busyUntil ? delayMs : null;
		if (error.kind === "unavailable" && tries.unavailable) {
			tries.unavailable = false;
			return delayMs;
		}
		if (error.kind === "rate_limited" && tries.rateLimited > 0) {
			tries.rateLimited -= 1;
			const waitMs = error.retryAfterMs ?? delayMs;
			return waitMs <= this.#times.rateLimitMs ? waitMs : null;
		}
		return null;
	}

	async #send(
		call: ApiCall,
		token: string,
	): Promise<{ response: Response; error?: never } | { response?: never; error: ApiFailure }> {
		const abort = new AbortController();
		let isLate = false;
		const timer = setTimeout(() => {
			isLate = true;
			abort.abort();
		}, call.timeoutMs);
		const stop = () => abort.abort(call.signal?.reason);
		call.signal?.addEventListener("abort", stop);
		try {
			const response = await this.#fetch(`${this.#base}${call.path}`, {
				method: call.method,
				headers: {
					authorization: `Bearer ${token}`,
					...(call.body !== undefined && { "content-type": "application/json" }),
					...call.headers,
				},
				...(call.body !== undefined && { body: JSON.stringify(call.body) }),
				redirect: "error",
				signal: abort.signal,
			});
			if (response.ok) return { response };
			const hasSession = call.path.startsWith("/sessions/");
			const error: ApiFailure = errorOfStatus(
				response.status,
				await readText(response, call.timeoutMs),
				hasSession,
			);
			error.retryAfterMs = retryAfterMs(response.headers.get("retry-after"));
			return { error };
		} catch (cause) {
			call.signal?.throwIfAborted();
			if (cause instanceof AgentforceError) return { error: cause };
			return { error: errorOfFetch(cause, isLate) };
		} finally {
			clearTimeout(timer);
			call.signal?.removeEventListener("abort", stop);
		}
	}
}

type ApiFailure = AgentforceError & { retryAfterMs?: number };

function retryAfterMs(header: string | null): number | undefined {
	if (header === null) return undefined;
	const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : undefined;
}
