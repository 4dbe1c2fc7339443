import { agentApi } from "./agent-api.mjs";
import { gateway } from "./gateway.mjs";

/** Every door, in the order in which conversations take them. */
export const DOORS = [agentApi, gateway];
