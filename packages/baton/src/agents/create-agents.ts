import type { Config } from "../config/config";
import type { AgentKind } from "./agent-kind";
import { Agents } from "./agents";
import type { BrowserTools } from "./browser-tools";
import { cliAgents } from "./cli-agents";
import { demoAgents } from "./demo-agents";
import { modelAgents } from "./model-agents";

/** The agents of a configuration. */
export function createAgents(config: Config, tools: BrowserTools): Agents {
	const kinds = createAgentKinds(config, tools);
	return new Agents({ kinds, standInForMissingKeys: config.demoStandsIn });
}

/** Every kind of agent there is. Without the browser's tools, to look at and not to run. */
export function createAgentKinds(config: Config, tools?: BrowserTools): AgentKind[] {
	return [demoAgents(), cliAgents(config, tools), modelAgents(config)];
}
