import { readFile } from "node:fs/promises";
import { parseRemoteAgents, type RemoteAgent, type ServedAgent } from "@baton/a2a-agentforce/door";
import type { Agents } from "../agents/agents";
import type { Config } from "../config/config";
import { ConfigError } from "../config/config-error";

/** The agents that were named, or those that people expect here: the first is the door's own. */
export function servedAgents(
	{ a2a, agent }: Config,
	agents: Agents,
): [ServedAgent, ...ServedAgent[]] {
	const unknown = a2a.agents.find((name) => !agents.find(name));
	if (unknown !== undefined) {
		const reason = `"${unknown}" is no agent; there are: ${agents.names.join(", ")}`;
		throw new ConfigError([{ name: "BATON_A2A_AGENTS", reason }]);
	}
	const wanted = a2a.agents.length > 0 ? a2a.agents : ["agentforce", agent, "demo"];
	const known = [...new Set(wanted)].filter((name) => agents.find(name));
	return known.map(describe) as [ServedAgent, ...ServedAgent[]];
}

function describe(name: string): ServedAgent {
	if (name === "demo") {
		return {
			name,
			title: "Baton demo",
			description: "Talks offline, streams texts on command, and fills forms.",
			examples: ["Hello!", "count to 100 every 50ms", "/help"],
		};
	}
	return { name, description: `The agent ${name}, in sessions that survive.` };
}

/** Agents elsewhere, from the file that the configuration names. */
export async function readRemoteAgents({ a2a, environment }: Config): Promise<RemoteAgent[]> {
	const { remoteAgentsFile: file } = a2a;
	if (file === undefined) return [];
	try {
		return parseRemoteAgents(await readFile(file, "utf8"), environment);
	} catch (error) {
		const reason = (error as Error).message;
		throw new ConfigError([{ name: "BATON_A2A_REMOTE_AGENTS", reason, source: file }]);
	}
}
