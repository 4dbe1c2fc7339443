import {
	type ApiKeys,
	deleteSession,
	type SessionValue,
	type TurnLog,
	type Turns,
} from "@baton/agent";
import type { Collection, SessionRecord } from "@baton/session";
import {
	corsHeaders,
	createRelayHandler,
	type RelayCredentials,
	type RelayStore,
	readJsonBody,
} from "@giselles-ai/browser-tool/relay";
import { ApiError, errorResponse } from "./api-error";
import { begunWithin } from "./begun";
import { findOrCreateSession, findSession, isOwnId, noSession } from "./find-session";
import { ndjsonResponse, OVER } from "./ndjson-response";
import { RateLimit } from "./rate-limit";
import { parseAbortBody, parseClaimBody, parseRunBody, type RunBody } from "./requests";
import { sessionRoutes } from "./sessions/session-routes";
import { attachLines, type Lines, turnLines } from "./turn-lines";
import { withHeartbeat } from "./with-heartbeat";

export interface AgentApiOptions {
	turns: Turns;
	sessions: Collection<SessionValue>;
	relay: RelayStore;
	keys: ApiKeys;
	/** Serves a session whose first message names no agent. */
	defaultAgent: string;
	/** Throws when there is no agent of this name. Default: any name is tried. */
	checkAgent?: (name: string) => void;
	/** Where pages reach the relay, as it is told to them. Default: beside the request's own address. */
	relayUrl?: string;
	/** Pages of other origins that may call. Default: none. */
	corsOrigins?: readonly string[];
	/** Requests a minute for each owner, and for callers without a valid key. Default 600 and 60. */
	ratePerMinute?: number;
	refusedPerMinute?: number;
	/** Default 1 MiB. */
	maxBodyBytes?: number;
	/** After how much silence a blank line is sent. Default 15,000. */
	heartbeatMs?: number;
	log: TurnLog;
}

export interface AgentApi {
	/** Serves `/agent-api/*`. Never rejects. */
	fetch(request: Request): Promise<Response>;
	/** The same for a caller whose owner is known already: no key is asked for. */
	fetchAs(owner: string, request: Request): Promise<Response>;
}

type Route = (request: Request, owner: string) => Promise<Response>;

/** How long the head of an attach's answer waits for the first lines. */
const HEAD_MS = 5;

/** Names a person whom the caller serves: sessions then belong to the two together. */
const USER_HEADER = "baton-user";
const USER = /^[A-Za-z0-9_-]{1,128}$/;

/** Names the caller's own door, for display: a web app, say, whose people begin sessions here. */
const DOOR_HEADER = "baton-door";
const DOOR = /^[a-z][a-z0-9-]{0,31}$/;

/** The agent API, for anything that speaks `Request` and `Response`: Node, Next.js, Hono. */
export function createAgentApi(options: AgentApiOptions): AgentApi {
	const { turns, sessions, relay, log, corsOrigins = [] } = options;
	const { maxBodyBytes = 1024 * 1024, heartbeatMs = 15_000 } = options;
	const perOwner = new RateLimit(options.ratePerMinute ?? 600);
	const refused = new RateLimit(options.refusedPerMinute ?? 60);
	const failed = (error: unknown) => log.warn({ error }, "The agent API failed.");
	const relayHandler = createRelayHandler({
		store: relay,
		maxBodyBytes,
		allowedOrigins: corsOrigins,
		onError: failed,
	});

	const run: Route = async (request, owner) => {
		const body = parseRunBody(await readJsonBody(request, maxBodyBytes));
		if (body.agent !== undefined) options.checkAgent?.(body.agent);
		const gone = new AbortController();
		const answer = body.attach ? attach : send;
		const { sessionId, ...begun } = await answer(body, owner, gone.signal, doorOf(request));
		const [credentials, { pieces, headers }] = await Promise.all([
			begun.credentials ?? relay.createRelaySession({ agentSessionId: sessionId }),
			begun.answering,
		]).catch((error) => {
			gone.abort(OVER);
			throw error;
		});
		const relayUrl = options.relayUrl ?? new URL("/agent-api/relay", request.url).href;
		const first = `${JSON.stringify({ type: "relay.session", ...credentials, relayUrl })}\n`;
		const lines = after(first, pieces, failed, () => gone.abort(OVER));
		return ndjsonResponse(withHeartbeat(lines, heartbeatMs), gone, headers);
	};

	const attach: Begin = async (body, owner, signal) => {
		const named = body.session_id ?? "";
		const finding = existingSession(owner, named);
		const ahead = isOwnId(named) ? lookAhead(named, finding) : null;
		const { id: sessionId, value } = await finding;
		const known = ahead && sessionId === named ? ahead : null;
		const pieces = attachLines({ turns, sessions, sessionId, signal }, body, {
			record: value,
			position: known?.position ?? turns.position(sessionId, value),
		});
		// What there is already comes with the head of the answer, in one write.
		const answering = begunWithin(HEAD_MS, pieces).then((pieces) => ({ pieces }));
		return { sessionId, answering, ...(known && { credentials: known.credentials }) };
	};

	/**
	 * A session that is named by its own id is most likely there: what an attach needs besides it is
	 * asked for at the same time. Nobody is shown any of it before the session is the caller's.
	 */
	function lookAhead(sessionId: string, finding: Promise<SessionRecord<SessionValue>>) {
		const record = finding.then(({ id, value }) => {
			if (id !== sessionId) throw noSession();
			return value;
		});
		const position = turns.position(sessionId, record);
		const credentials = relay.createRelaySession({ agentSessionId: sessionId });
		credentials.catch(() => {});
		position.catch(() => {});
		record.catch(async () => relay.revokeRelaySession((await credentials).sessionId)).catch(failed);
		return { position, credentials };
	}

	const send: Begin = async (body, owner, signal, door) => {
		const sessionId = await findOrCreateSession(turns, sessions, {
			owner,
			agentId: body.agent ?? options.defaultAgent,
			door,
			sessionId: body.session_id,
			idempotencyKey: body.idempotency_key,
			label: body.message ?? "",
		});
		return { sessionId, answering: startTurn({ turns, sessions, sessionId, signal }, body) };
	};

	const abort: Route = async (request, owner) => {
		const body = parseAbortBody(await readJsonBody(request, maxBodyBytes));
		const { id } = await existingSession(owner, body.session_id);
		await turns.abort(id, body.run_id, "The caller asked for it.");
		return Response.json({ ok: true });
	};

	/** Takes a request for one page of the caller's, before that page runs it. */
	const claim: Route = async (request, owner) => {
		const body = parseClaimBody(await readJsonBody(request, maxBodyBytes));
		const { id } = await existingSession(owner, body.session_id);
		await turns.claim(id, body.request_id, body.claim_id);
		return Response.json({ ok: true });
	};

	async function existingSession(
		owner: string,
		sessionId: string,
	): Promise<SessionRecord<SessionValue>> {
		const found = await findSession(sessions, owner, sessionId);
		if (found === null) throw noSession();
		return found;
	}

	const routes: Record<string, [method: "GET" | "POST", route: Route]> = {
		"/agent-api/run": ["POST", run],
		"/agent-api/abort": ["POST", abort],
		"/agent-api/claim": ["POST", claim],
	};
	const remove = (sessionId: string) => deleteSession(turns, sessions, sessionId);
	const sessionRoute = sessionRoutes({ turns, sessions, remove }, heartbeatMs);

	function find(method: string, pathname: string): [method: string, route: Route] | null {
		const known = routes[pathname];
		return known ?? sessionRoute(method, pathname);
	}

	async function answer(
		request: Request,
		pathname: string,
		known: string | null,
	): Promise<Response> {
		const found = find(request.method, pathname.replace(/\/+$/, ""));
		if (!found) throw new ApiError("NOT_FOUND", "The agent API has no such address.");
		if (request.method === "OPTIONS") return new Response(null, { status: 204 });
		const [method, route] = found;
		if (request.method !== method) {
			throw new ApiError("METHOD_NOT_ALLOWED", `This address takes ${method}.`);
		}
		const owner = known ?? ownerOf(request, options.keys);
		if (owner === null) {
			await refused.take("anyone");
			throw new ApiError("UNAUTHORIZED", "Send a valid key as Authorization: Bearer <key>.");
		}
		await perOwner.take(owner);
		return route(request, owner);
	}

	async function serve(request: Request, known: string | null): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/agent-api/relay" || pathname.startsWith("/agent-api/relay/")) {
			return relayHandler(request);
		}
		const response = await answer(request, pathname, known).catch((error) =>
			errorResponse(error, failed),
		);
		for (const [name, value] of Object.entries(corsHeaders(request, corsOrigins))) {
			response.headers.set(name, value);
		}
		return response;
	}

	return {
		fetch: (request) => serve(request, null),
		fetchAs: (owner, request) => serve(request, owner),
	};
}

/** Finds the session of a call, and begins to answer for it. */
type Begin = (
	body: RunBody,
	owner: string,
	signal: AbortSignal,
	door: string,
) => Promise<{
	sessionId: string;
	answering: Answer | Promise<Answer>;
	/** Those of a relay session that was made ahead. */
	credentials?: Promise<RelayCredentials>;
}>;

interface Answer {
	pieces: AsyncGenerator<string, void, undefined>;
	headers?: Record<string, string>;
}

/** Stores the message as a turn, and returns what becomes of it. */
async function startTurn(
	lines: Lines & { turns: Turns },
	{ message = "", document, agent, idempotency_key: idempotencyKey }: RunBody,
): Promise<Answer> {
	const input = { content: message, ...(document && { document }), ...(agent && { agent }) };
	const turn = await lines.turns.send(lines.sessionId, input, {
		...(idempotencyKey && { idempotencyKey }),
	});
	const pieces = turnLines(lines, turn);
	if (!idempotencyKey) return { pieces };
	// Says that the key counted: whoever loses this answer may send the message again.
	return { pieces, headers: { "Idempotent-Replayed": `${turn.repeated}` } };
}

function doorOf({ headers }: Request): string {
	const door = headers.get(DOOR_HEADER);
	if (door === null) return "agent-api";
	if (DOOR.test(door)) return door;
	throw new ApiError("INVALID_REQUEST", "Baton-Door has 1 to 32 of a-z 0-9 -.");
}

function ownerOf(request: Request, keys: ApiKeys): string | null {
	const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
	const owner = bearer === undefined ? null : keys.resolve(bearer);
	const user = request.headers.get(USER_HEADER);
	if (owner === null || user === null) return owner;
	if (!USER.test(user)) {
		throw new ApiError("INVALID_REQUEST", "Baton-User has 1 to 128 of A-Z a-z 0-9 _ -.");
	}
	return `${owner}:${user}`;
}

/** The first line at once, then the rest. A failure after that ends the stream without its result. */
async function* after(
	first: string,
	rest: AsyncGenerator<string, void, undefined>,
	failed: (error: unknown) => void,
	over: () => void,
): AsyncGenerator<string, void, undefined> {
	try {
		yield first;
		yield* rest;
	} catch (error) {
		failed(error);
		throw error;
	} finally {
		over();
	}
}
