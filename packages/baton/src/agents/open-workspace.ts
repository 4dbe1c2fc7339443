import { join } from "node:path";
import { type Serving, WorkspaceAgents } from "@baton/gateway";
import type { Config } from "../config/config";
import { missingVariable } from "./agent-kind";
import type { Agents } from "./agents";

/** The default agent's model where neither `AGENTS.md` nor `BATON_AGENT` says another. */
const DEFAULT_MODEL = "anthropic/claude-opus-4-6";

/** The agents of the data folder's workspace. `agents` is asked later, when it is there. */
export function openWorkspace(config: Config, agents: () => Agents): Promise<WorkspaceAgents> {
	return WorkspaceAgents.open({
		file: join(config.dataDir, "workspace", "AGENTS.md"),
		defaultModel: config.environment.BATON_AGENT ? config.agent : DEFAULT_MODEL,
		serving: (model) => servingOf(model, agents()),
		explainUnserved: (model) => agents().explainUnknown(model),
	});
}

/** Who answers when this model is asked. */
function servingOf(model: string, agents: Agents): Serving | null {
	const known = agents.find(model);
	// A model is never another agent of the file: it would lead to itself in the end.
	if (!known || known.model !== undefined) return null;
	const missing = missingVariable(known);
	if (missing === undefined) return { servedBy: known.agent.name };
	const other = agents.replacementOf(model);
	if (other) return { servedBy: other.label, notice: other.reason };
	return { servedBy: known.agent.name, notice: `It cannot serve: ${missing} is not set.` };
}
