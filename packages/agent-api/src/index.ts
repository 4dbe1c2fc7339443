export { type AgentApi, type AgentApiOptions, createAgentApi } from "./agent-api";
