export type { Endpoint, Fault } from "./fault";
export {
	type AgentforceSimulator,
	type SimulatedRequest,
	type SimulatorOptions,
	startAgentforceSimulator,
} from "./simulator";
