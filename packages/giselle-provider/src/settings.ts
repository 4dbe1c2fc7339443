import { abortCloudApi } from "./abort-cloud-api";
import { connectCloudApi } from "./connect-cloud-api";
import { runEndpoint } from "./endpoints";
import { createRelaySubscription } from "./relay-subscription";
import { sendRelayResponse } from "./send-relay-response";
import { defaultSessionPort } from "./session-manager";
import { Sessions } from "./sessions";
import type { GiselleProviderDeps, GiselleProviderOptions } from "./types";

/** The options with every default in its place. */
export interface Settings {
	endpoint: string;
	headers: Record<string, string> | undefined;
	deps: Required<GiselleProviderDeps>;
	sessions: Sessions;
	agent: string | undefined;
	showAgentTools: boolean;
	requestGraceMs: number;
	liveIdleMs: number | undefined;
	reconnectMs: number;
	silenceMs: number;
	warn: (message: string) => void;
}

export function readOptions(options: GiselleProviderOptions): Settings {
	const { sessions } = options;
	// Looked up at each call: a host may replace the global one later.
	const fetch: typeof globalThis.fetch =
		options.fetch ?? ((input, init) => globalThis.fetch(input, init));
	return {
		endpoint: runEndpoint(options.cloudApiUrl),
		headers: options.headers,
		deps: {
			connectCloudApi: (request) => connectCloudApi(fetch, request),
			createRelaySubscription: (relay) => createRelaySubscription(fetch, relay),
			sendRelayResponse: (answer) => sendRelayResponse(fetch, answer),
			abortCloudApi: (turn) => abortCloudApi(fetch, turn),
			...options.deps,
		},
		sessions: new Sessions(sessions ? async () => sessions : defaultSessionPort, options.chatTtlMs),
		agent: options.agent,
		showAgentTools: options.showAgentTools ?? false,
		requestGraceMs: options.requestGraceMs ?? 20,
		liveIdleMs: options.liveIdleMs,
		reconnectMs: options.reconnectMs ?? 20_000,
		silenceMs: options.silenceMs ?? 60_000,
		warn: options.onWarning ?? (() => {}),
	};
}
