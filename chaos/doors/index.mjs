import { agentApi } from "./agent-api.mjs";

/** Every door, in the order in which conversations take them. */
export const DOORS = [agentApi];
