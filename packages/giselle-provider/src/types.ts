import type { LiveEvents } from "./event-reader";
import type { SessionPort, SessionValue } from "./session-port";

/** What is asked of the agent API. `message` is empty when nothing is said: an attach, a reconnect. */
export interface CloudApiRequest {
	/** The address of `POST …/agent-api/run`. */
	endpoint: string;
	message: string;
	document?: string;
	/** The conversation to go on with: `session_id` of an `init` line. */
	sessionId?: string;
	sandboxId?: string;
	headers?: Record<string, string>;
	signal?: AbortSignal;
	/** Replay and follow, never prompt. Only for servers that number their lines. */
	attach?: boolean;
	/** With `attach`: only lines with a larger `seq`. */
	after?: number;
	agent?: string;
	idempotencyKey?: string;
}

export interface CloudApiConnection {
	reader: ReadableStreamDefaultReader<Uint8Array>;
	response: Response;
}

/** Requests of an agent that come beside its stream. */
export interface RelaySubscription {
	/** The next request; rejects when the subscription is lost or closed. */
	nextRequest(): Promise<Record<string, unknown>>;
	close(): void | Promise<void>;
}

/** What a `relay.session` line told. */
export interface RelayCredentials {
	sessionId: string;
	token: string;
	relayUrl: string;
}

export interface RelayAnswer extends RelayCredentials {
	response: Record<string, unknown>;
	/** Under which the page took the request before it ran it. */
	claimId?: string;
	/** How this call goes on with the turn: from the reader that was kept, or by attaching. For show. */
	resume?: "hot" | "cold";
	signal?: AbortSignal;
}

/** A turn that is to be ended at the server. */
export interface AbortedTurn {
	endpoint: string;
	sessionId: string;
	runId?: string;
	headers?: Record<string, string>;
}

/** How the provider reaches the world. Each has a default that works over `fetch`. */
export interface GiselleProviderDeps {
	connectCloudApi(request: CloudApiRequest): Promise<CloudApiConnection>;
	createRelaySubscription(relay: RelayCredentials): RelaySubscription | Promise<RelaySubscription>;
	sendRelayResponse(answer: RelayAnswer): Promise<void>;
	/** Ends the turn at the server. A server without an abort route is no error. */
	abortCloudApi?(turn: AbortedTurn): Promise<void>;
}

export interface GiselleProviderOptions {
	/** Where the agent API is: its origin, or the whole address of its `run` route. */
	cloudApiUrl: string;
	/** Sent with every call to the agent API, never to the relay. */
	headers?: Record<string, string>;
	/** How requests are made. Default: the global `fetch`. A server in the same process can be called here. */
	fetch?: typeof globalThis.fetch;
	deps?: Partial<GiselleProviderDeps>;
	/** Where sessions and chats are kept. Default: Redis by the environment, else this process. */
	sessions?: SessionPort;
	/** Which agent of the server to ask. Default: the server's own choice. */
	agent?: string;
	/** Show the agent's own `tool_use` and `tool_result` as provider-executed dynamic tools. */
	showAgentTools?: boolean;
	/** How long a chat's memory lasts after its last turn. Default 24 h. */
	chatTtlMs?: number;
	/** How long after a request others are waited for, to be one step with it. Default 20. */
	requestGraceMs?: number;
	/** How long a paused connection is kept for a hot resume. Default 120,000. */
	liveIdleMs?: number;
	/** How long to keep trying to attach again when the stream breaks. Default 20,000; 0: never. */
	reconnectMs?: number;
	/** Silence after which a stream counts as broken; without heartbeats, 15 times it. Default 60,000. */
	silenceMs?: number;
	/** Told what is worth a log line. Never gets a secret. Default: nothing is logged. */
	onWarning?: (message: string) => void;
}

/**
 * What any instance needs to go on with a run. The fields up to `createdAt` are the seed's; the
 * others are optional, and a record without them works.
 */
export interface SessionMetadata {
	providerSessionId: string;
	geminiSessionId?: string;
	sandboxId?: string;
	relaySessionId?: string;
	relayToken?: string;
	relayUrl?: string;
	pendingRequestId?: string;
	createdAt: number;
	/** Every request of the step that waits for answers; `pendingRequestId` is the first. */
	pendingRequestIds?: string[];
	/** `seq` of the last line read before the pause: a cold resume attaches after it. */
	cursor?: number;
	/** The turn at the server. */
	runId?: string;
	chatId?: string;
	/** How many characters of a withdrawn text had been said again at the pause. */
	repeated?: number;
	/** What was sent to the server: its key, and a digest of the message. */
	sent?: { key: string; digest: string };
	/** Who answers the pending requests right now, and since when (Unix ms). */
	claim?: { by: string; at: number };
}

/** What is left of the conversation when its run is over. */
export interface ChatMemory {
	geminiSessionId?: string;
	sandboxId?: string;
	/** The run that goes on; absent when none does. */
	providerSessionId?: string;
	/** Where the run paused last: enough to go on when its own record has expired. */
	cursor?: number;
	runId?: string;
	repeated?: number;
}

/** A paused stream, in this process. `events` carries what the seed's fields cannot. */
export interface LiveConnection {
	reader: ReadableStreamDefaultReader<Uint8Array>;
	/** Text that was read and is not a whole event yet. */
	buffer: string;
	relaySubscription: RelaySubscription | null;
	textBlockOpen: boolean;
	/** Decoder state, events read ahead, and a read that is under way. */
	events?: LiveEvents;
	/** The requests that it waits with; a run that waits with others has gone on elsewhere. */
	requestIds?: string[];
	/** The chat that it is of, and the record as it was stored at the pause. */
	chatId?: string;
	stored?: SessionValue;
	/** Overrides how long it is kept. */
	idleMs?: number;
}

/** `providerOptions.giselle` of a call. */
export interface GiselleCallOptions {
	/** The run to go on with: what `response-metadata` and `x-giselle-session-id` told. */
	sessionId?: string;
	/** The conversation. With it alone the provider finds the run by itself. */
	chatId?: string;
	/** Replay the chat's latest turn from its start and follow it. Sends nothing. */
	attach?: boolean;
	/** The same key and message again: the same turn from its start, not a second one. */
	idempotencyKey?: string;
	/**
	 * The conversation's name at the server, where callers may choose one: sent when no id of the
	 * server's own is remembered.
	 */
	agentSessionId?: string;
	/** Under which the page claimed the requests that this call answers. */
	claimId?: string;
}
