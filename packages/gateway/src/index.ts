export type { AgentDirectory, AgentInfo, AgentList } from "./agents/agent-directory";
export {
	type AgentDefinition,
	type ParsedAgents,
	parseAgentsFile,
} from "./agents/parse-agents-file";
export { type Serving, WorkspaceAgents, type WorkspaceOptions } from "./agents/workspace-agents";
export type { ChatEvent, Usage } from "./chat/chat-event";
export type { ChatMessage } from "./chat/chat-message";
export { type AgentTurn, runAgentTurn } from "./chat/run-agent-turn";
export { getDataDir, getSessionsDir, sessionsIn } from "./data-dir";
export { CLOSE } from "./gateway/close-codes";
export type { GatewayOptions } from "./gateway/gateway-options";
export { DEFAULT_LIMITS, type GatewayLimits } from "./gateway/limits";
export { registry } from "./gateway/methods/registry";
export type { GatewayLog, MethodContext, MethodHandler } from "./gateway/methods/types";
export { createGateway, type Gateway } from "./gateway/server";
export type { GatewayTokens } from "./gateway/tokens";
export { exportSessions } from "./sessions/export-sessions";
export { FileSessions } from "./sessions/file-sessions";
export { SessionManager } from "./sessions/manager";
export { Session, type SessionMeta } from "./sessions/session";
export { appendEvent, readEvents, type TranscriptEvent } from "./sessions/transcript";
