import { AgentsListParams } from "../../protocol/params";
import { parseParams } from "./parse-params";
import type { MethodHandler } from "./types";

/** The agents of the workspace, with the default one where its file cannot be read, and why. */
export const agentsList: MethodHandler = async (params, { agents }) => {
	parseParams(AgentsListParams, params);
	const { agents: list, warnings } = await agents.list();
	return { agents: list, ...(warnings.length > 0 && { warnings }) };
};
