import { hostname } from "node:os";
import { type ApiKeys, type SessionValue, Turns } from "@baton/agent";
import { createAgentApi } from "@baton/agent-api";
import type { Store } from "@baton/session";
import { openRelayStore } from "@giselles-ai/browser-tool/relay";
import type { Agents } from "../agents/agents";
import { createAgents } from "../agents/create-agents";
import type { Config } from "../config/config";
import { stopAccepting } from "../http/close-server";
import { type Listening, listen } from "../http/listen";
import { logRequests } from "../http/log-requests";
import { createRequestListener, errorResponse, type Fetch } from "../http/request-listener";
import { createRoutes } from "../http/routes";
import type { Log } from "../log/log";
import { VERSION } from "../version";
import { checkDefaultAgent } from "./check-default-agent";
import { openConfiguredStore } from "./open-configured-store";

/** How long answers that are under way may take to reach their readers, once all turns are over. */
const LAST_WORDS_MS = 500;

export interface Baton {
	/** Where this machine reaches it. */
	readonly url: string;
	readonly agents: Agents;
	/** Drains turns, leaves the rest to be recovered, and frees everything. */
	stop(drainMs: number): Promise<void>;
}

/** Puts the parts together: store, agents, turns, doors. */
export async function startBaton(config: Config, keys: ApiKeys, log: Log): Promise<Baton> {
	const store = await openConfiguredStore(config, log);
	let door: Listening | undefined;
	try {
		let routes: Fetch = async () => errorResponse(503, "UNAVAILABLE", "The server is starting.");
		const failed = (error: unknown) => log.error({ error }, "A request failed.");
		const listener = createRequestListener(
			logRequests((request) => routes(request), log),
			failed,
		);
		// Before any turn: one that is recovered may need the relay's address at once.
		door = await listen(listener, config.host, config.port);
		const { url, server } = door;
		const { agents, turns, agentApi } = build(config, keys, log, store, url);
		let stopping = false;
		routes = createRoutes({
			version: VERSION,
			agentApi: agentApi.fetch,
			isStopping: () => stopping,
		});
		return {
			url,
			agents,
			async stop(drainMs) {
				stopping = true;
				const closing = stopAccepting(server);
				await turns.close(drainMs);
				await closing.finish(LAST_WORDS_MS);
				await store.close();
			},
		};
	} catch (error) {
		door?.server.close();
		await store.close().catch(() => {});
		throw error;
	}
}

function build(config: Config, keys: ApiKeys, log: Log, store: Store, url: string) {
	const sessions = store.collection<SessionValue>("sessions");
	const relay = openRelayStore(store, { timeoutMs: config.answerMs });
	const agents = createAgents(config, {
		relay,
		relayUrl: () => `${url}/agent-api/relay`,
		answerMs: config.answerMs,
	});
	checkDefaultAgent(config, agents);
	const turns = new Turns({
		sessions,
		agents: agents.source,
		holder: `${hostname()}/${process.pid}`,
		turnMs: config.turnMs,
		answerMs: config.answerMs,
		log,
	});
	const agentApi = createAgentApi({
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
	return { agents, turns, agentApi };
}
