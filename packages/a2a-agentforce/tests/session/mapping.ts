import type { SessionMapping } from "../../src/session/session-mapping";

/** A mapping that is in use, with what a test says about it. */
export function mapping(contextId: string, fields: Partial<SessionMapping> = {}): SessionMapping {
	return {
		a2aContextId: contextId,
		a2aTaskIds: [],
		afSessionId: `af-${contextId}`,
		afSequenceId: 0,
		afAgentId: "agent",
		tenantId: "default",
		createdAt: Date.now(),
		lastActivity: Date.now(),
		state: "active",
		...fields,
	};
}
