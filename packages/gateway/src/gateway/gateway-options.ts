import type { SessionValue, Turns } from "@baton/agent";
import type { Collection } from "@baton/session";
import type { AgentDirectory } from "../agents/agent-directory";
import type { GatewayLimits } from "./limits";
import type { GatewayLog } from "./methods/types";
import type { GatewayTokens } from "./tokens";

export interface GatewayOptions {
	turns: Turns;
	sessions: Collection<SessionValue>;
	agents: AgentDirectory;
	tokens: GatewayTokens;
	log: GatewayLog;
	/** Told by `hello`. */
	version: string;
	/** Where transcripts are, when sessions are kept in files. Default: of the data folder. */
	sessionsDir?: string;
	/** Pages of other origins that may connect. Those of this machine always may. */
	origins?: readonly string[];
	/** Names under which this server is reached, beyond loopback and addresses. */
	hosts?: readonly string[];
	limits?: Partial<GatewayLimits>;
}
