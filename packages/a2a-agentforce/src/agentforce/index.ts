export { type AgentforceAgentOptions, createAgentforceAgent } from "./agentforce-agent";
export {
	AgentforceClient,
	type AgentforceClientOptions,
	type EndReason,
	type OutgoingMessage,
} from "./agentforce-client";
export { AgentforceError, type AgentforceErrorKind } from "./agentforce-error";
export type { AgentforceMessage } from "./agentforce-message";
export {
	AGENT_API_PATH,
	AGENT_API_URL,
	type AgentforceSettings,
	type AgentforceTimes,
} from "./agentforce-settings";
