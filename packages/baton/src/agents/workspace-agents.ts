import { AgentFailure } from "@baton/agent";
import type { WorkspaceAgents } from "@baton/gateway";
import { type AgentKind, explainUnknown, type KnownAgent } from "./agent-kind";

/** Agents that a person defined in `workspace/AGENTS.md`: each is another one, by its `Model:`. */
export function workspaceAgents(
	workspace: Pick<WorkspaceAgents, "modelOf">,
	kinds: readonly AgentKind[],
): AgentKind {
	return {
		// Each workspace has its own; the gateway lists them.
		names: [],
		find(name) {
			const model = workspace.modelOf(name);
			if (model === null) return null;
			for (const kind of kinds) {
				const known = kind.find(model);
				if (known) return { ...known, model };
			}
			return { ...unserved(name, explainUnknown(model, kinds)), model };
		},
	};
}

/** So that the turn says what is wrong with the file. */
function unserved(name: string, why: string): KnownAgent {
	const reason = `The agent ${name} cannot serve by its model. ${why} Correct workspace/AGENTS.md.`;
	return {
		agent: {
			name,
			recovery: "retry",
			// biome-ignore lint/correctness/useYield: it has nothing to say
			async *run() {
				throw new AgentFailure("unknown_agent", reason);
			},
		},
	};
}
