import { hostname } from "node:os";
import type { ApiKeys, SessionValue, Turns } from "@baton/agent";
import { createAgentApi } from "@baton/agent-api";
import { openCookieSecret, type WebApp } from "@baton/web/server";
import { openRelayStore } from "@giselles-ai/browser-tool/relay";
import type { Agents } from "../agents/agents";
import { createAgents } from "../agents/create-agents";
import { openWorkspace } from "../agents/open-workspace";
import type { Config } from "../config/config";
import { openA2aDoor } from "../doors/a2a-door";
import type { Door, Parts } from "../doors/door";
import { openGatewayDoor } from "../doors/gateway-door";
import { AddressError } from "../http/address";
import { stopAccepting } from "../http/close-server";
import { type Listening, listen } from "../http/listen";
import { logRequests } from "../http/log-requests";
import { ReadinessCheck } from "../http/readiness";
import { createRequestListener, errorResponse, type Fetch } from "../http/request-listener";
import { createRoutes } from "../http/routes";
import type { Log } from "../log/log";
import { type Observation, observe } from "../observe/observation";
import { VERSION } from "../version";
import { openWeb } from "../web/open-web";
import { isOwnPath, logWebRequests } from "../web/web-listener";
import { addressesOf } from "./addresses";
import { checkDefaultAgent } from "./check-default-agent";
import { explainRefused } from "./explain-refused";
import { openConfiguredStore } from "./open-configured-store";

/** How long answers that are under way may take to reach their readers, once all turns are over. */
const LAST_WORDS_MS = 500;

/** The doors with servers of their own, in the order in which people see them. */
const DOORS: readonly ((parts: Parts) => Promise<Door | null>)[] = [openGatewayDoor, openA2aDoor];

export interface Baton {
	/** Where this machine reaches the web's port. */
	readonly url: string;
	readonly agents: Agents;
	readonly doors: readonly Door[];
	/** Drains turns, leaves the rest to be recovered, and frees everything. */
	stop(drainMs: number): Promise<void>;
}

/** Puts the parts together: store, agents, turns, doors. */
export async function startBaton(
	config: Config,
	keys: ApiKeys,
	log: Log,
	hide: Parts["hide"],
): Promise<Baton> {
	const opened = await openConfiguredStore(config, log);
	const observation = await observe(config, opened, log);
	const { store } = observation;
	const doors: Door[] = [];
	let http: Listening | undefined;
	let turns: Turns | undefined;
	let agents: Agents | undefined;
	let web: WebApp | undefined;
	let stopping = false;
	const stop = async (drainMs: number) => {
		stopping = true;
		const closing = http && stopAccepting(http.server);
		for (const door of doors) door.stopAccepting();
		await turns?.close(drainMs);
		await Promise.all(
			[...doors, ...(closing ? [closing] : [])].map((d) => d.finish(LAST_WORDS_MS)),
		);
		await web?.close();
		await agents?.close();
		await store.close();
		await observation.close();
	};
	try {
		// All that is asked of the store to start: should it go away just then, nothing was served yet.
		const webSecret = config.web ? await openCookieSecret(store) : undefined;
		let routes: Fetch = starting;
		const failed = (error: unknown) => log.error({ error }, "A request failed.");
		const serve = createRequestListener(
			logRequests((request) => routes(request), log),
			failed,
		);
		// A page that waits for this server must not take "not yet" for "not there".
		let pages = config.web ? createRequestListener(starting, failed) : serve;
		// Before any turn: one that is recovered may need the relay's address at once.
		http = await listen(
			observation.traced("web", (incoming, outgoing) => {
				const listener = isOwnPath(incoming.url) ? serve : pages;
				listener(incoming, outgoing);
			}),
			addressesOf(config).web,
		);
		const { url } = http;
		const parts = await build({ config, keys, log, store, hide }, url, observation);
		turns = parts.turns;
		agents = parts.agents;
		const agentApi = openAgentApi(parts);
		routes = createRoutes({
			version: VERSION,
			agentApi: agentApi.fetch,
			metrics: observation.metrics,
			readiness: new ReadinessCheck(store),
			isStopping: () => stopping,
		});
		for (const open of DOORS) {
			const door = await open(parts);
			if (door) doors.push(door);
		}
		if (webSecret !== undefined) {
			web = await openWeb(parts, agentApi, http, webSecret);
			pages = logWebRequests(web.handle, log);
		}
		return { url, agents: parts.agents, doors, stop };
	} catch (error) {
		await stop(0).catch(() => {});
		throw error instanceof AddressError ? await explainRefused(error, config) : error;
	}
}

type Given = Pick<Parts, "config" | "keys" | "log" | "store" | "hide">;

async function build(given: Given, url: string, observation: Observation): Promise<Parts> {
	const { createTurns, traced } = observation;
	const { config, log, store } = given;
	const sessions = store.collection<SessionValue>("sessions");
	const relay = openRelayStore(store, { timeoutMs: config.answerMs });
	const tools = { relay, relayUrl: () => `${url}/agent-api/relay`, answerMs: config.answerMs };
	const workspace = await openWorkspace(config, () => agents);
	const agents: Agents = createAgents(config, workspace, tools, { store, log });
	checkDefaultAgent(config, agents);
	const turns = createTurns({
		sessions,
		agents: agents.source,
		holder: `${hostname()}/${process.pid}`,
		turnMs: config.turnMs,
		answerMs: config.answerMs,
		keepEventsMs: config.keepEventsMs,
		...(config.sessionTtlMs !== undefined && { sessionTtlMs: config.sessionTtlMs }),
		log,
	});
	return { ...given, sessions, relay, agents, workspace, turns, traced };
}

function openAgentApi({ config, keys, log, sessions, relay, agents, turns }: Parts) {
	return createAgentApi({
		turns,
		sessions,
		relay,
		keys,
		defaultAgent: config.agent,
		checkAgent: (name) => agents.check(name),
		...(config.publicUrl && { relayUrl: `${config.publicUrl}/agent-api/relay` }),
		corsOrigins: config.corsOrigins,
		ratePerMinute: config.ratePerMinute,
		maxBodyBytes: config.maxBodyBytes,
		log,
	});
}

async function starting(): Promise<Response> {
	const headers = { "Retry-After": "1" };
	return errorResponse(503, "UNAVAILABLE", "The server is starting.", headers);
}
