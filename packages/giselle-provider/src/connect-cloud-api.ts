import { APICallError } from "@ai-sdk/provider";
import { shownUrl } from "./endpoints";
import type { CloudApiConnection, CloudApiRequest } from "./types";
import { withTimeout } from "./with-timeout";

/** Until the answer begins. What comes then may take as long as the agent does. */
const CONNECT_TIMEOUT_MS = 30_000;
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);
const MAX_ERROR_TEXT = 2_000;

/** `POST …/agent-api/run`, the default of `deps.connectCloudApi`. */
export async function connectCloudApi(
	fetch: typeof globalThis.fetch,
	request: CloudApiRequest,
): Promise<CloudApiConnection> {
	const { endpoint, headers, signal } = request;
	const body = runBody(request);
	const refused = (message: string, more: { statusCode?: number; cause?: unknown } = {}) =>
		new APICallError({
			message,
			url: shownUrl(endpoint),
			requestBodyValues: {},
			isRetryable: more.statusCode === undefined || RETRYABLE.has(more.statusCode),
			...more,
		});
	let response: Response;
	try {
		response = await withTimeout(CONNECT_TIMEOUT_MS, signal, (limit) =>
			fetch(endpoint, {
				method: "POST",
				headers: { "content-type": "application/json", ...headers },
				body: JSON.stringify(body),
				signal: limit,
			}),
		);
	} catch (cause) {
		if (signal?.aborted) throw cause;
		throw refused(`The agent API at ${shownUrl(endpoint)} cannot be reached.`, { cause });
	}
	if (!response.ok || response.body === null) {
		const text = (await response.text().catch(() => "")).slice(0, MAX_ERROR_TEXT);
		const message = messageIn(text) ?? `The agent API answered ${response.status}.`;
		throw refused(message, { statusCode: response.status });
	}
	return { reader: response.body.getReader(), response };
}

/** The body as the agent API takes it. What is not set is not sent: an attach never has a message. */
function runBody(request: CloudApiRequest): Record<string, unknown> {
	const { message, document, sessionId, sandboxId, attach, after, agent, idempotencyKey } = request;
	return {
		type: "agent.run",
		...(message !== "" && { message }),
		...(document !== undefined && { document }),
		...(sessionId !== undefined && { session_id: sessionId }),
		...(sandboxId !== undefined && { sandbox_id: sandboxId }),
		...(agent !== undefined && { agent }),
		...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
		...(attach && { attach }),
		...(attach && after !== undefined && { after }),
	};
}

function messageIn(text: string): string | undefined {
	try {
		const { message } = JSON.parse(text) as { message?: unknown };
		return typeof message === "string" ? message : undefined;
	} catch {
		return undefined;
	}
}
