import { GiselleAgentModel } from "./giselle-agent-model";
import type { GiselleProviderOptions } from "./types";

/** A language model that speaks through the agent API at `options.cloudApiUrl`. */
export function giselle(options: GiselleProviderOptions): GiselleAgentModel {
	return new GiselleAgentModel(options);
}

export { GiselleAgentModel } from "./giselle-agent-model";
export { GiselleError, type GiselleErrorCode } from "./giselle-error";
export { closeLiveConnections } from "./live-connections";
export { createMemorySessions } from "./memory-sessions";
export {
	type CloudApiEvent,
	createMapperContext,
	extractJsonObjects,
	finishStream,
	type MapResult,
	mapNdjsonEvent,
	mapNdjsonToStreamParts,
	type NdjsonMapperContext,
} from "./ndjson-mapper";
export {
	extractToolResults,
	extractUserMessage,
	ToolFailure,
	type ToolResult,
} from "./read-prompt";
export { toolResultToRelayResponse } from "./relay-response";
export { RelayRefusal } from "./send-relay-response";
export {
	closeSessions,
	createSession,
	deleteSession,
	getLiveConnection,
	loadSession,
	removeLiveConnection,
	saveLiveConnection,
	updateSession,
} from "./session-manager";
export type { SessionPort, SessionValue } from "./session-port";
export type {
	ChatMemory,
	CloudApiConnection,
	CloudApiRequest,
	GiselleCallOptions,
	GiselleProviderDeps,
	GiselleProviderOptions,
	LiveConnection,
	RelaySubscription,
	SessionMetadata,
} from "./types";
