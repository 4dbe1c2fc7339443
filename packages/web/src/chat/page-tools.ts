import { tool } from "ai";
import * as z from "zod";

/*
 * The two tools that run in the page: they have no `execute`, so their calls go to the browser. What
 * an agent asks for is checked there, action by action; a wrong one is reported to the agent, and a
 * call that was refused here would leave it waiting.
 */
export const pageTools = {
	getFormSnapshot: tool({
		description: "Reads the fields of the form in the person's page.",
		inputSchema: z.looseObject({
			instruction: z.string().optional(),
			document: z.string().optional(),
		}),
		outputSchema: z.looseObject({ fields: z.array(z.looseObject({ fieldId: z.string() })) }),
	}),
	executeFormActions: tool({
		description: "Acts on fields of the last snapshot.",
		inputSchema: z.looseObject({
			actions: z.array(z.looseObject({ action: z.string(), fieldId: z.string() })),
			fields: z.array(z.looseObject({})).optional(),
		}),
		outputSchema: z.looseObject({ report: z.looseObject({ applied: z.number() }) }),
	}),
};

export type PageTools = typeof pageTools;

export const TOOL_OF_REQUEST: Readonly<Record<string, keyof PageTools>> = {
	snapshot_request: "getFormSnapshot",
	execute_request: "executeFormActions",
};
