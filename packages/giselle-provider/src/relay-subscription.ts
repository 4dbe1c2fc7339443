import { EventSourceParserStream } from "@ai-sdk/provider-utils";
import { GiselleError } from "./giselle-error";
import { isRelayRequest } from "./map-relay-request";
import type { RelayCredentials, RelaySubscription } from "./types";
import { withTimeout } from "./with-timeout";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * `GET …?type=relay.events`, the default of `deps.createRelaySubscription`: requests of servers that
 * do not put them on the stream of the turn.
 */
export async function createRelaySubscription(
	fetch: typeof globalThis.fetch,
	{ sessionId, token, relayUrl }: RelayCredentials,
): Promise<RelaySubscription> {
	const url = new URL(relayUrl);
	url.searchParams.set("type", "relay.events");
	url.searchParams.set("sessionId", sessionId);
	const controller = new AbortController();
	const response = await withTimeout(CONNECT_TIMEOUT_MS, controller.signal, (signal) => {
		const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` };
		return fetch(url, { headers, signal });
	});
	if (!response.ok || response.body === null) {
		await response.body?.cancel();
		throw lost(`The relay answered ${response.status}.`);
	}
	const messages = response.body
		.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
		.pipeThrough(new EventSourceParserStream())
		.getReader();
	return {
		async nextRequest() {
			for (;;) {
				const { done, value } = await messages.read();
				if (done) throw lost("The relay closed its stream.");
				const request = parsed(value.data);
				if (request !== null && isRelayRequest(request)) return request;
			}
		},
		async close() {
			await messages.cancel().catch(() => {});
		},
	};
}

function lost(message: string): GiselleError {
	return new GiselleError("relay_refused", message, { retryable: true });
}

function parsed(data: string): Record<string, unknown> | null {
	try {
		return JSON.parse(data);
	} catch {
		return null;
	}
}
