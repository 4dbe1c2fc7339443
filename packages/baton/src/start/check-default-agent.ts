import { AgentFailure } from "@baton/agent";
import type { Agents } from "../agents/agents";
import type { Config } from "../config/config";
import { ConfigError } from "../config/config-error";

/** A default agent that can serve no turn is said at the start, not at the first message. */
export function checkDefaultAgent({ agent }: Config, agents: Agents): void {
	try {
		agents.source(agent);
	} catch (error) {
		if (!(error instanceof AgentFailure)) throw error;
		throw new ConfigError([{ name: "BATON_AGENT", reason: error.message }]);
	}
}
