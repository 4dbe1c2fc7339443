import type { WorkspaceAgents } from "@baton/gateway";
import type { Config } from "../config/config";
import type { AgentKind } from "./agent-kind";
import { type AgentforceParts, agentforceAgents } from "./agentforce-agents";
import { Agents } from "./agents";
import type { BrowserTools } from "./browser-tools";
import { cliAgents } from "./cli-agents";
import { demoAgents } from "./demo-agents";
import { modelAgents } from "./model-agents";
import { workspaceAgents } from "./workspace-agents";

/**
 * The agents of a configuration, and those that its workspace makes of them. Without what they work
 * with, to look at and not to run.
 */
export function createAgents(
	config: Config,
	workspace: WorkspaceAgents,
	tools?: BrowserTools,
	agentforce?: AgentforceParts,
): Agents {
	const kinds = createAgentKinds(config, tools, agentforce);
	// The last, so that no file can give a name of ours another meaning.
	const all = [...kinds, workspaceAgents(workspace, kinds)];
	return new Agents({ kinds: all, standInForMissingKeys: config.demoStandsIn });
}

/** Every kind of agent there is. */
export function createAgentKinds(
	config: Config,
	tools?: BrowserTools,
	agentforce?: AgentforceParts,
): AgentKind[] {
	return [
		demoAgents(),
		agentforceAgents(config, agentforce),
		cliAgents(config, tools),
		modelAgents(config),
	];
}
