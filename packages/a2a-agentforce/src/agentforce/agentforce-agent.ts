import {
	type Agent,
	type AgentEvent,
	AgentFailure,
	type Turn,
	TurnAborted,
	type TurnStats,
} from "@baton/agent";
import {
	DEFAULT_TENANT,
	type SessionLog,
	SessionManager,
	type SharedSessionStore,
} from "../session";
import type { AgentforceClient } from "./agentforce-client";
import { AgentforceError } from "./agentforce-error";
import { AgentforceTurn } from "./agentforce-turn";

export interface AgentforceAgentOptions {
	/** Default `agentforce`. */
	name?: string;
	client: AgentforceClient;
	/** Where it is kept which Agentforce session serves which session of Baton. */
	sessions: SharedSessionStore;
	/** How long such a session may be silent. */
	ttlSeconds: number;
	/** Which tenant an owner is. Default: the one owner of a machine, `local`, is the default tenant. */
	tenantOf?: (owner: string) => string;
	log: SessionLog;
}

/**
 * Salesforce Agentforce as an agent. A session of Baton is an A2A context, its turn a task: each has
 * one Agentforce session at a time. A lost process fails its turn, for the message may have had
 * effects; the next message goes on in the same Agentforce session.
 */
export function createAgentforceAgent(options: AgentforceAgentOptions): Agent {
	const { name = "agentforce", client, sessions, ttlSeconds, log } = options;
	const tenantOf = options.tenantOf ?? ((owner) => (owner === "local" ? DEFAULT_TENANT : owner));
	return {
		name,
		recovery: "fail",
		async *run(turn): AsyncGenerator<AgentEvent, TurnStats | undefined, undefined> {
			const tenantId = tenantOf(turn.owner);
			const store = sessions.forTenant(tenantId);
			const manager = new SessionManager(store, { ttlSeconds, log, cleanup: false });
			const work = new AgentforceTurn({ turn, client, store, manager, tenantId, log });
			try {
				return yield* work.run();
			} catch (error) {
				throw explain(error, turn, log);
			} finally {
				await work.finish(turn.signal.reason instanceof TurnAborted);
			}
		},
	};
}

/** What a person gets to read. What Salesforce said goes to the log alone. */
function explain(error: unknown, turn: Turn, log: SessionLog): unknown {
	if (!(error instanceof AgentforceError)) return error;
	const { kind, status, details } = error;
	const { sessionId, runId } = turn;
	log.warn({ sessionId, runId, kind, status, details, error }, "Agentforce failed.");
	return new AgentFailure(kind, error.message, { retryable: error.retryable, cause: error });
}
