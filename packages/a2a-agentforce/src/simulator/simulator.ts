import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AGENT_API_PATH, type AgentforceSettings } from "../agentforce";
import { type Endpoint, type Fault, Faults } from "./fault";
import { readBody, sendError, sendJson } from "./http-answers";
import { playStream, playWhole, untilGone } from "./play-steps";
import { endReasonSchema, feedbackSchema, messageSchema, startSchema } from "./request-schemas";
import { answerTo, GREETING, type Step } from "./script";
import { newSession, type SimulatedSession } from "./simulated-session";

export interface SimulatorOptions {
	/** Default: any free one. */
	port?: number;
	/** Agents that it has besides the one of its settings. */
	agentIds?: readonly string[];
}

/** A call that the simulator got. */
export interface SimulatedRequest {
	readonly at: Endpoint;
	readonly sessionId?: string;
	/** The agent that a session is started with. */
	readonly agentId?: string;
	readonly headers: Readonly<Record<string, unknown>>;
	/** As JSON; for the login, the fields of the form. */
	readonly body: unknown;
	/** True once the caller has gone away before its answer was complete. */
	readonly aborted: boolean;
}

export interface AgentforceSimulator {
	readonly url: string;
	/** What a client needs to talk to it. */
	readonly settings: AgentforceSettings;
	/** The newest calls, oldest first. */
	readonly requests: readonly SimulatedRequest[];
	/** Lets the next such calls go wrong: one, or as many as said. */
	fault(fault: Fault, times?: number): void;
	/** Every token given out so far is refused from now on. */
	revokeTokens(): void;
	/** Every session is gone, as after a long silence. */
	expireSessions(): void;
	stop(): Promise<void>;
}

const KEPT_REQUESTS = 1_000;
const MAX_SESSIONS = 10_000;

/**
 * A stand-in for Salesforce on loopback: the login and the Agent API, by the same wire, with an
 * agent that says that it is simulated. It keeps to the API's rules, so that a client which breaks
 * one is told; and it fails in every way that the API does, on demand.
 */
export async function startAgentforceSimulator({
	port = 0,
	agentIds = [],
}: SimulatorOptions = {}): Promise<AgentforceSimulator> {
	const simulator = new Simulator([CREDENTIALS.agentId, ...agentIds]);
	const server = createServer((request, response) => {
		simulator.handle(request, response).catch(() => response.destroy());
	});
	server.listen(port, "127.0.0.1");
	await once(server, "listening");
	server.unref();
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		settings: { ...CREDENTIALS, serverUrl: url, apiUrl: url },
		requests: simulator.requests,
		fault: (fault, times = 1) => simulator.faults.add(fault, times),
		revokeTokens: () => simulator.tokens.clear(),
		expireSessions: () => simulator.sessions.clear(),
		async stop() {
			simulator.stopping.abort();
			server.close();
			server.closeAllConnections();
		},
	};
}

const CREDENTIALS = {
	clientId: "simulator-client",
	clientSecret: "simulator-secret",
	agentId: "0XxSIMULATED0001",
};

interface Call {
	at: Endpoint;
	sessionId?: string;
	agentId?: string;
	body: unknown;
	fault: Fault | null;
	gone: AbortSignal;
	response: ServerResponse;
	headers: IncomingMessage["headers"];
}

class Simulator {
	readonly requests: { -readonly [K in keyof SimulatedRequest]: SimulatedRequest[K] }[] = [];
	readonly faults = new Faults();
	readonly tokens = new Set<string>();
	readonly sessions = new Map<string, SimulatedSession>();
	readonly stopping = new AbortController();
	readonly #agentIds: ReadonlySet<string>;

	constructor(agentIds: readonly string[]) {
		this.#agentIds = new Set(agentIds);
	}

	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const found = findEndpoint(request);
		if (!found) return sendError(response, 404, "Not Found");
		const text = await readBody(request);
		const body = found.at === "token" ? Object.fromEntries(new URLSearchParams(text)) : json(text);
		const gone = new AbortController();
		const noted = { ...found, headers: { ...request.headers }, body, aborted: false };
		this.requests.push(noted);
		if (this.requests.length > KEPT_REQUESTS) this.requests.shift();
		response.on("close", () => {
			noted.aborted = !response.writableFinished;
			gone.abort();
		});
		const call: Call = {
			...found,
			body,
			fault: this.faults.take(found.at),
			gone: AbortSignal.any([gone.signal, this.stopping.signal]),
			response,
			headers: request.headers,
		};
		if (await this.#failed(call)) return;
		if (found.at === "token") return this.#login(call);
		const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
		if (!this.tokens.has(token ?? "")) return sendError(response, 401, "Unauthorized");
		return this[found.at](call);
	}

	/** Faults that come before the work, and so leave no trace. */
	async #failed({ fault, response, gone }: Call): Promise<boolean> {
		if (!fault) return false;
		if ("status" in fault) {
			const headers: Record<string, string> = fault.retryAfter
				? { "retry-after": fault.retryAfter }
				: {};
			if (fault.body !== undefined) sendJson(response, fault.status, fault.body, headers);
			else sendError(response, fault.status, "Simulated", headers);
		} else if ("drop" in fault) {
			response.destroy();
		} else if ("hang" in fault) {
			await untilGone(gone);
		} else if ("garbage" in fault) {
			sendJson(response, 200, fault.garbage);
		} else {
			return false;
		}
		return true;
	}

	async #login({ body, response }: Call): Promise<void> {
		const form = body as Record<string, string>;
		const isKnown =
			form.grant_type === "client_credentials" &&
			form.client_id === CREDENTIALS.clientId &&
			form.client_secret === CREDENTIALS.clientSecret;
		if (!isKnown) {
			const refusal = { error: "invalid_client", error_description: "invalid client credentials" };
			return sendJson(response, 400, refusal);
		}
		const token = randomUUID();
		this.tokens.add(token);
		sendJson(response, 200, {
			access_token: token,
			instance_url: "http://127.0.0.1",
			token_type: "Bearer",
		});
	}

	async start({ agentId = "", body, response }: Call): Promise<void> {
		if (!this.#agentIds.has(agentId)) return sendError(response, 404, "Not Found");
		if (!startSchema.safeParse(body).success) return sendError(response, 400, "Bad Request");
		const session = newSession();
		this.sessions.set(session.id, session);
		const [oldest] = this.sessions.keys();
		if (this.sessions.size > MAX_SESSIONS && oldest) this.sessions.delete(oldest);
		sendJson(response, 200, { sessionId: session.id, _links: {}, messages: [GREETING] });
	}

	message(call: Call): Promise<void> {
		return this.#answer(call, playWhole);
	}

	stream(call: Call): Promise<void> {
		return this.#answer(call, playStream);
	}

	async end({ sessionId = "", headers, response }: Call): Promise<void> {
		if (!endReasonSchema.safeParse(headers["x-session-end-reason"]).success) {
			return sendError(response, 400, "Bad Request");
		}
		if (!this.sessions.delete(sessionId)) return sendError(response, 404, "Not Found");
		sendJson(response, 200, { messages: [{ type: "SessionEnded", reason: "ClientRequest" }] });
	}

	async feedback({ sessionId = "", body, response }: Call): Promise<void> {
		if (!feedbackSchema.safeParse(body).success) return sendError(response, 400, "Bad Request");
		if (!this.sessions.has(sessionId)) return sendError(response, 404, "Not Found");
		response.writeHead(201).end();
	}

	async #answer(call: Call, play: typeof playStream): Promise<void> {
		const { sessionId = "", body, fault, gone, response } = call;
		const session = this.sessions.get(sessionId);
		if (!session) return sendError(response, 404, "Not Found");
		const parsed = messageSchema.safeParse(body);
		if (!parsed.success) return sendError(response, 400, "Bad Request");
		const { sequenceId, text } = parsed.data.message;
		if (session.isBusy) return sendError(response, 423, "Locked");
		if (sequenceId <= session.sequenceId) return sendError(response, 400, "Bad Request");
		session.sequenceId = sequenceId;
		session.isBusy = true;
		try {
			await play(response, { steps: stepsOf(fault, text, session), fault, gone });
		} finally {
			session.isBusy = false;
		}
	}
}

function stepsOf(fault: Fault | null, text: string, session: SimulatedSession): Iterable<Step> {
	if (!fault || !("messages" in fault)) return answerTo(text, session);
	const end = fault.end === false ? [] : [{ type: "EndOfTurn" }];
	return [...(fault.messages as Step[]), ...end];
}

function findEndpoint({
	method,
	url = "",
}: IncomingMessage): Pick<Call, "at" | "sessionId" | "agentId"> | null {
	if (method === "POST" && url === "/services/oauth2/token") return { at: "token" };
	if (!url.startsWith(AGENT_API_PATH)) return null;
	const path = url.slice(AGENT_API_PATH.length);
	const agentId = /^\/agents\/([^/]+)\/sessions$/.exec(path)?.[1];
	if (method === "POST" && agentId) return { at: "start", agentId };
	const [, sessionId, rest] = /^\/sessions\/([^/]+)(\/.+)?$/.exec(path) ?? [];
	const at = ENDPOINTS[`${method} ${rest ?? ""}`];
	return at && sessionId ? { at, sessionId } : null;
}

const ENDPOINTS: Record<string, Exclude<Endpoint, "token" | "start">> = {
	"POST /messages": "message",
	"POST /messages/stream": "stream",
	"DELETE ": "end",
	"POST /feedback": "feedback",
};

function json(text: string): unknown {
	try {
		return JSON.parse(text || "null");
	} catch {
		return null;
	}
}
