export { type A2aDoor, type A2aDoorOptions, createA2aDoor } from "./a2a-door";
export type { ServedAgent } from "./card/agent-card";
export { parseRemoteAgents, type RemoteAgent } from "./delegate/remote-agents";
