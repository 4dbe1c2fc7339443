import type { RequestListener } from "node:http";
import type { AgentCard } from "@a2a-js/sdk";
import type { SessionValue, TurnLog, Turns } from "@baton/agent";
import type { Collection, Store } from "@baton/session";
import express, { type ErrorRequestHandler } from "express";
import { agentCard, extendedAgentCard, type ServedAgent } from "./card/agent-card";
import { delegateRoutes } from "./delegate/delegate-routes";
import type { RemoteAgent } from "./delegate/remote-agents";
import { readVersion } from "./http/a2a-version";
import { agentPath, literalPattern } from "./http/agent-path";
import { asRefusal } from "./http/as-refusal";
import type { Keys } from "./http/authenticate";
import { cardRoute } from "./http/card-route";
import { answerOrigin } from "./http/cors";
import { type AnswerRpc, jsonRpc } from "./http/json-rpc";
import type { JwtRules } from "./http/jwt-owners";
import { createLetIn } from "./http/let-in";
import { readJson } from "./http/read-json";
import { rest } from "./http/rest";
import { Refusal, sendError } from "./http/send-error";
import { sendJson } from "./http/send-json";
import { openPush, type PushOptions } from "./push/open-push";
import { AgentRequestHandler } from "./request-handler";
import { Tasks } from "./tasks";

export interface A2aDoorOptions {
	turns: Turns;
	sessions: Collection<SessionValue>;
	store: Store;
	/** Who may call. Asked in this order. */
	keys: readonly Keys[];
	/** Tokens of an issuer are taken too. Default: keys alone. */
	jwt?: JwtRules | undefined;
	/** The first is served at the address itself, each at `/agents/<name>`. */
	agents: readonly [ServedAgent, ...ServedAgent[]];
	/** Where callers reach this door, for the cards, without a slash at the end. Asked at the first request. */
	url: () => string;
	version: string;
	/** Requests a minute for each owner, and for callers without a valid key. Default 100 and 60. */
	ratePerMinute?: number;
	refusedPerMinute?: number;
	/** Default 1 MiB. */
	maxBodyBytes?: number;
	/** Pages of other origins that may call. Default: none. */
	corsOrigins?: readonly string[];
	/** Default 15,000. */
	heartbeatMs?: number;
	/** Which webhooks may be called, and how. */
	push?: PushOptions;
	/** Names this process to people who look at a lease. */
	holder: string;
	/** The way out: agents elsewhere, by alias. Default: `/api/v1` is not there. */
	delegate?: DelegateSettings;
	log: TurnLog;
}

export interface DelegateSettings {
	agents: readonly RemoteAgent[];
	/** Who may call `/api/v1`. Default: those who may call A2A. */
	keys?: readonly Keys[] | undefined;
	/** Requests a minute for each owner. Default 60. */
	ratePerMinute?: number;
	/** How long a remote agent may take. Default 110,000. */
	timeoutMs?: number;
}

export interface A2aDoor {
	readonly listener: RequestListener;
	/** New messages are refused from now on; what is under way goes on. */
	drain(): void;
	/** Ends what runs beside requests. */
	close(): Promise<void>;
}

/** A2A for any agent of Baton: JSON-RPC and HTTP+JSON, 1.0 and 0.3, at one address. */
export function createA2aDoor(options: A2aDoorOptions): A2aDoor {
	const { turns, sessions, store, holder, log, version } = options;
	const { maxBodyBytes = 1024 * 1024, heartbeatMs = 15_000, corsOrigins = [] } = options;
	const { ratePerMinute = 100, refusedPerMinute = 60 } = options;
	const onFailure = (error: unknown) => log.warn({ error }, "The A2A door failed.");
	// The longest first: the name of one agent may begin that of another.
	const places = options.agents
		.map((agent) => ({ agent, path: agentPath(agent.name) }))
		.sort((a, b) => b.path.length - a.path.length);
	const tasks = new Tasks({ turns, sessions, store });
	const source = { turns, sessions };
	const push = openPush(options.push ?? {}, { store, source, holder, log });
	let draining = false;
	const { keys, jwt } = options;
	const isDraining = () => draining;
	const letIn = createLetIn({ keys, jwt, ratePerMinute, refusedPerMinute, isDraining });

	const openDelegate = ({
		agents,
		ratePerMinute = 60,
		timeoutMs,
		...delegate
	}: DelegateSettings) => {
		const ofA2a = delegate.keys === undefined ? { keys, jwt } : { keys: delegate.keys };
		const enter = createLetIn({ ...ofA2a, ratePerMinute, refusedPerMinute, isDraining });
		return delegateRoutes({
			letIn: enter,
			agents,
			store,
			onFailure,
			...(timeoutMs && { timeoutMs }),
		});
	};

	/** By the path of each agent's own address. */
	const rpc = new Map<string, AnswerRpc>();
	const app = express().disable("x-powered-by").disable("etag").set("query parser", "simple");
	const serve = (agent: ServedAgent, path: string) => {
		let made: AgentCard | undefined;
		const card = () => {
			made ??= agentCard({
				agent,
				url: `${options.url()}${path}`,
				version,
				jwt: jwt !== undefined,
			});
			return made;
		};
		const limits = { requestsPerMinute: ratePerMinute, maxBodyBytes };
		const handler = new AgentRequestHandler({
			agent: agent.name,
			card,
			extendedCard: (owner) => extendedAgentCard(card(), owner, limits),
			tasks,
			push: push.configs,
			onFailure,
		});
		rpc.set(path, jsonRpc(handler, heartbeatMs));
		const place = literalPattern(path);
		app.use(place, cardRoute(card), rest(handler, { letIn, maxBodyBytes, heartbeatMs }));
	};
	app.get("/health", (_, response) => {
		const status = draining ? "stopping" : "ok";
		const body = { status, service: "baton-a2a", version };
		sendJson(response, draining ? 503 : 200, body, { "Cache-Control": "no-store" });
	});
	if (options.delegate) app.use(openDelegate(options.delegate));
	for (const { agent, path } of places) serve(agent, path);
	serve(options.agents[0], "");
	app.use(() => {
		throw new Refusal("NOT_FOUND", "There is nothing at this address.");
	});
	const onError: ErrorRequestHandler = (error, _request, response, _next) =>
		sendError(response, asRefusal(error, onFailure), "HTTP+JSON");
	app.use(onError);

	const listener: RequestListener = (request, response) => {
		// A socket that breaks is the end of a request, never of the process.
		request.on("error", () => {});
		response.on("error", () => {});
		if (answerOrigin(request, response, corsOrigins)) return;
		readVersion(request);
		const path = request.url?.split("?", 1)[0]?.replace(/\/$/, "") ?? "";
		const answer = request.method === "POST" ? rpc.get(path) : undefined;
		if (!answer) return app(request, response);
		letIn(request, response)
			.then(async (caller) => {
				const body = await readJson(request, maxBodyBytes);
				await answer(request, response, body, caller);
			})
			.catch((error) => sendError(response, asRefusal(error, onFailure), "JSONRPC"));
	};

	return {
		listener,
		drain() {
			draining = true;
		},
		close: () => push.worker.close(),
	};
}
