import { createDemoAgent } from "@baton/agent/demo";
import type { AgentKind } from "./agent-kind";

/** `demo`, which needs no key and no network. */
export function demoAgents(): AgentKind {
	const agent = createDemoAgent();
	return {
		names: [agent.name],
		find: (name) => (name === agent.name ? { agent } : null),
	};
}
