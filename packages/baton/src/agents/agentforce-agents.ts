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
import type { Agent } from "@baton/agent";
import type { Store } from "@baton/session";
import type { Config } from "../config/config";
import type { Log } from "../log/log";
import type { AgentKind, KnownAgent } from "./agent-kind";
import { SharedSimulator } from "./shared-simulator";

/** What Agentforce needs of the process that runs it. */
export interface AgentforceParts {
	store: Store;
	log: Log;
}

const NAME = "agentforce";
const PREFIX = `${NAME}/`;
const SILENT = { info: () => {}, warn: () => {} };

/**
 * `agentforce`: the agent of a Salesforce org, and `agentforce/<name>`: another of that org, by the
 * name that BATON_AGENTFORCE_AGENTS gives it. Without the org's settings a simulator serves them,
 * which is started for the first turn. Without the parts, to look at and not to run.
 */
export function agentforceAgents({ agentforce }: Config, parts?: AgentforceParts): AgentKind {
	const { credentials, agents, sessionTtlSeconds: ttlSeconds } = agentforce;
	const log = parts?.log ?? SILENT;
	const sessions: SharedSessionStore = parts
		? new BatonStore({ store: async () => parts.store, ttlSeconds })
		: new MemoryStore();
	const cleanup = parts && new SessionManager(sessions, { ttlSeconds, log });
	const simulator = new SharedSimulator(async () => {
		const { startAgentforceSimulator } = await import("@baton/a2a-agentforce/simulator");
		return startAgentforceSimulator({ agentIds: [...agents.values()] });
	});
	const know = (name: string, agentId?: string): KnownAgent => {
		const make = (settings: AgentforceSettings) => {
			const client = new AgentforceClient({ ...settings, ...(agentId && { agentId }) });
			return createAgentforceAgent({ name, client, sessions, ttlSeconds, log });
		};
		const simulated = simulatedAgent(name, simulator, make);
		return {
			agent: credentials ? make(credentials) : simulated,
			requires: { variable: "SALESFORCE_CLIENT_ID", isSet: credentials !== undefined },
			standIn: {
				agent: simulated,
				title: "The Agentforce simulator",
				label: "Agentforce simulator",
			},
		};
	};
	const known = new Map([[NAME, know(NAME)]]);
	for (const [name, agentId] of agents) known.set(PREFIX + name, know(PREFIX + name, agentId));
	return {
		names: [...known.keys()],
		find: (name) => known.get(name) ?? null,
		explainUnknown: (name) => (name.startsWith(PREFIX) ? explain(name, agents) : undefined),
		async close() {
			cleanup?.close();
			await simulator.close();
		},
	};
}

function explain(name: string, agents: ReadonlyMap<string, string>): string {
	const there = [...agents.keys()].map((one) => PREFIX + one);
	const configured =
		there.length > 0
			? `BATON_AGENTFORCE_AGENTS has ${there.join(", ")}`
			: "BATON_AGENTFORCE_AGENTS is not set";
	return `There is no Agentforce agent "${name}": ${configured}, and "${NAME}" is the one of SALESFORCE_AGENT_ID.`;
}

/** The agent in front of the simulator. */
function simulatedAgent(
	name: string,
	simulator: SharedSimulator,
	make: (settings: AgentforceSettings) => Agent,
): Agent {
	let agent: Agent | undefined;
	return {
		name,
		recovery: "fail",
		async *run(turn) {
			const { settings } = await simulator.open();
			agent ??= make(settings);
			return yield* agent.run(turn);
		},
	};
}
