import type { SessionValue, Turns } from "@baton/agent";
import type { Collection } from "@baton/session";
import type { AgentDirectory } from "../../agents/agent-directory";
import type { ConnectionChats } from "../../chat/connection-chats";
import type { SessionManager } from "../../sessions/manager";
import type { GatewayLimits } from "../limits";
import type { ActiveRun } from "./active-run";

/** What a method works with. Made for the socket that calls. */
export interface MethodContext {
	/** Whose socket it is. Everything here is this owner's alone. */
	owner: string;
	sessionManager: SessionManager;
	/** Turns that were started here and have not ended: aborting one stops it. */
	activeRuns: Map<string, ActiveRun>;
	/** Sends an event to the socket. */
	sendEvent(name: string, data: object): void;
	/** Runs when the answer to this request is on its way, so that no event comes before it. */
	afterAnswer(task: () => void): void;
	turns: Turns;
	sessions: Collection<SessionValue>;
	agents: AgentDirectory;
	chats: ConnectionChats;
	limits: GatewayLimits;
	/** Aborted when the socket is gone, or the gateway. */
	signal: AbortSignal;
	/** True once the gateway is on its way out: turns end, and new ones belong to the next process. */
	isDraining(): boolean;
	/** Aborted when the gateway is gone. */
	stopping: AbortSignal;
	log: GatewayLog;
	version: string;
	methods: readonly string[];
}

/** A method of the gateway: it checks its params itself, and throws an `RpcError` to refuse. */
export type MethodHandler = (params: unknown, ctx: MethodContext) => Promise<unknown>;

export interface GatewayLog {
	info(details: Record<string, unknown>, message: string): void;
	warn(details: Record<string, unknown>, message: string): void;
}
