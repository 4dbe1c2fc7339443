import {
	AgentforceClient,
	type AgentforceSettings,
	createAgentforceAgent,
} from "@baton/a2a-agentforce/agentforce";
import {
	BatonStore,
	MemoryStore,
	SessionManager,
	type SharedSessionStore,
} from "@baton/a2a-agentforce/session";
import type { AgentforceSimulator } from "@baton/a2a-agentforce/simulator";
import type { Agent } from "@baton/agent";
import type { Store } from "@baton/session";
import type { Config } from "../config/config";
import type { Log } from "../log/log";
import type { AgentKind } from "./agent-kind";

/** What Agentforce needs of the process that runs it. */
export interface AgentforceParts {
	store: Store;
	log: Log;
}

const NAME = "agentforce";
const SILENT = { info: () => {}, warn: () => {} };

/**
 * `agentforce`: an agent of a Salesforce org. Without its settings a simulator serves, which is
 * started for the first turn. Without the parts, to look at and not to run.
 */
export function agentforceAgents({ agentforce }: Config, parts?: AgentforceParts): AgentKind {
	const { credentials, sessionTtlSeconds: ttlSeconds } = agentforce;
	const log = parts?.log ?? SILENT;
	const sessions: SharedSessionStore = parts
		? new BatonStore({ store: async () => parts.store, ttlSeconds })
		: new MemoryStore();
	const cleanup = parts && new SessionManager(sessions, { ttlSeconds, log });
	const make = (settings: AgentforceSettings) => {
		const client = new AgentforceClient(settings);
		return createAgentforceAgent({ name: NAME, client, sessions, ttlSeconds, log });
	};
	const simulated = simulatedAgent(make);
	const known = {
		agent: credentials ? make(credentials) : simulated.agent,
		requires: { variable: "SALESFORCE_CLIENT_ID", isSet: credentials !== undefined },
		standIn: {
			agent: simulated.agent,
			title: "The Agentforce simulator",
			label: "Agentforce simulator",
		},
	};
	return {
		names: [NAME],
		find: (name) => (name === NAME ? known : null),
		async close() {
			cleanup?.close();
			await simulated.close();
		},
	};
}

/** The agent in front of a simulator of its own. */
function simulatedAgent(make: (settings: AgentforceSettings) => Agent) {
	let starting: Promise<{ simulator: AgentforceSimulator; agent: Agent }> | undefined;
	const start = async () => {
		const { startAgentforceSimulator } = await import("@baton/a2a-agentforce/simulator");
		const simulator = await startAgentforceSimulator();
		return { simulator, agent: make(simulator.settings) };
	};
	const agent: Agent = {
		name: NAME,
		recovery: "fail",
		async *run(turn) {
			starting ??= start();
			return yield* (await starting).agent.run(turn);
		},
	};
	const close = async () => {
		const started = await starting?.catch(() => undefined);
		await started?.simulator.stop();
	};
	return { agent, close };
}
