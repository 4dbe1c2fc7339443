import { a2a } from "./a2a.mjs";
import { agentApi } from "./agent-api.mjs";
import { gateway } from "./gateway.mjs";
import { web } from "./web.mjs";

/** Every door, in the order in which conversations take them. */
export const DOORS = [agentApi, gateway, a2a, web];
