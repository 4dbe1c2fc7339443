import { type AnswerOptions, answerRequest, claimRequest, type SessionLog } from "@baton/agent";
import { type Collection, findRedisAddress, openStore, type Store } from "@baton/session";
import type { RelayRequest, RelayResponse } from "../types";
import { dispatchRequest } from "./dispatch-request";
import { PagePresence, type PagesValue } from "./page-presence";
import { RelayError, refusing } from "./relay-error";
import {
	type NewRelaySession,
	type Relay,
	type RelayCredentials,
	type RelayRole,
	RelaySessions,
	type RelaySessionValue,
} from "./relay-session";

/** The time to live of a relay session after its last use. */
export const RELAY_SESSION_TTL_MS = 600_000;
const PRESENCE_MS = 90_000;
const DISPATCH_TIMEOUT_MS = 120_000;
const MAX_DISPATCH_TIMEOUT_MS = 600_000;

export interface RelayStoreParts {
	/** Where the agent sessions are, whose logs carry the requests. */
	sessions: SessionLog;
	relays: Collection<RelaySessionValue>;
	pages: Collection<PagesValue>;
}

export interface RelayStoreOptions {
	/** Default 600,000. */
	ttlMs?: number;
	/** How long a page counts as connected after a sign of life. Default 90,000. */
	presenceMs?: number;
	/** How long a page has for its answer, unless the caller says. Default 120,000, at most 600,000. */
	timeoutMs?: number;
	/**
	 * Refuse with NO_BROWSER to ask while no page is connected to the relay. Off by default: a page may
	 * get its requests by the stream of the turn, or come later.
	 */
	requireBrowser?: boolean;
}

export interface DispatchOptions {
	timeoutMs?: number;
	/** Gives the request up: it is closed as `aborted`. */
	signal?: AbortSignal;
	requireBrowser?: boolean;
}

/**
 * The relay between an agent and a page. It keeps no requests of its own: they are events in the
 * agent session's log, so any process on the store can ask, claim and answer. What is refused rejects
 * with a `RelayError`.
 */
export class RelayStore {
	readonly sessions: SessionLog;
	readonly #credentials: RelaySessions;
	readonly #presence: PagePresence;
	readonly #options: RelayStoreOptions;

	constructor({ sessions, relays, pages }: RelayStoreParts, options: RelayStoreOptions = {}) {
		this.sessions = sessions;
		this.#credentials = new RelaySessions(relays, options.ttlMs ?? RELAY_SESSION_TTL_MS);
		this.#presence = new PagePresence(pages, options.presenceMs ?? PRESENCE_MS);
		this.#options = options;
	}

	createRelaySession(session: NewRelaySession): Promise<RelayCredentials> {
		return this.#credentials.create(session);
	}

	/** Ends a relay session before its time, when the turn of an agent is over for instance. */
	revokeRelaySession(sessionId: string): Promise<void> {
		return this.#credentials.revoke(sessionId);
	}

	/** Rejects with UNAUTHORIZED unless the token is that session's, and of this role. */
	authenticate(sessionId: string, token: string, role: RelayRole): Promise<Relay> {
		return this.#credentials.authenticate(sessionId, token, role);
	}

	/** Asks the page, and waits for its answer, whichever process gets it. */
	async dispatch(
		relay: Relay,
		request: RelayRequest,
		{ signal, ...options }: DispatchOptions = {},
	): Promise<RelayResponse> {
		const { timeoutMs = DISPATCH_TIMEOUT_MS, requireBrowser } = { ...this.#options, ...options };
		if (requireBrowser && !(await this.#presence.anyone(relay.agentSessionId))) {
			throw new RelayError("NO_BROWSER", "No page is connected that could answer.");
		}
		const limits = {
			timeoutMs: Math.min(timeoutMs, MAX_DISPATCH_TIMEOUT_MS),
			...(signal && { signal }),
		};
		return refusing(dispatchRequest(this.sessions, relay, request, limits));
	}

	/** Takes a request for one page, before it runs it. */
	async claim(relay: Relay, requestId: string, claimId: string): Promise<void> {
		await this.#presence.mark(relay.agentSessionId, relay.sessionId);
		await refusing(claimRequest(this.sessions, relay.agentSessionId, requestId, claimId));
	}

	/** Takes a page's answer. */
	async respond(relay: Relay, response: RelayResponse, options: AnswerOptions = {}): Promise<void> {
		await this.#presence.mark(relay.agentSessionId, relay.sessionId);
		await refusing(answerRequest(this.sessions, relay.agentSessionId, response, options));
	}

	/** A page that stays connected: keeps it counted, and its credentials alive. */
	async markPage(relay: Relay, pageId: string): Promise<void> {
		await this.#credentials.renew(relay.sessionId);
		await this.#presence.mark(relay.agentSessionId, pageId);
	}

	unmarkPage(relay: Relay, pageId: string): Promise<void> {
		return this.#presence.unmark(relay.agentSessionId, pageId);
	}
}

/** A relay on a store, under the keys that relays are known by. */
export function openRelayStore(
	store: Store,
	options: RelayStoreOptions & { sessions?: SessionLog } = {},
): RelayStore {
	const { sessions = store.collection("sessions"), ...rest } = options;
	const listed = false;
	const relays = store.collection<RelaySessionValue>("relays", {
		recordKey: "relay:session",
		listed,
	});
	const pages = store.collection<PagesValue>("relay-pages", {
		recordKey: "relay:browser",
		listed,
	});
	return new RelayStore({ sessions, relays, pages }, rest);
}

declare global {
	/** One default relay per process, also where a bundler has this module twice. */
	var __browserToolRelayRedis: Promise<RelayStore> | undefined;
}

/**
 * The relay for those who hand in no store: on the Redis that the environment names, or else in the
 * memory of this process, which is said once.
 */
export function getDefaultRelayStore(): Promise<RelayStore> {
	globalThis.__browserToolRelayRedis ??= openDefaultRelayStore().catch((error: unknown) => {
		// A Redis that was away at the first call may be there at the next.
		globalThis.__browserToolRelayRedis = undefined;
		throw error;
	});
	return globalThis.__browserToolRelayRedis;
}

async function openDefaultRelayStore(): Promise<RelayStore> {
	const address = findRedisAddress(process.env);
	if (!address) {
		console.warn("The relay keeps its sessions in memory: set REDIS_URL to share them.");
		return openRelayStore(await openStore({ driver: "memory" }));
	}
	const rejectUnauthorized = process.env.REDIS_TLS_REJECT_UNAUTHORIZED !== "false";
	return openRelayStore(await openStore({ driver: "redis", url: address.url, rejectUnauthorized }));
}
