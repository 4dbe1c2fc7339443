export { type AgentApi, type AgentApiOptions, createAgentApi } from "./agent-api";
export { createSessionsApi } from "./sessions/sessions-api";
