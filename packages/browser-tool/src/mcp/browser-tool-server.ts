import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { browserToolActionSchema, type RelayRequest, snapshotFieldSchema } from "../types";
import type { Dispatch } from "./relay-client";
import { failure, failureOf, resultOf } from "./tool-result";

/** As models are shown it: one flat object, since not every model takes a union. */
const actionInput = z.object({
	action: z.enum(["fill", "click", "select"]),
	fieldId: z.string().describe("fieldId of a field in the last snapshot"),
	value: z.string().optional().describe("text to fill in, or the option to select"),
});

/** The tools of the page, for any MCP client. */
export function createBrowserToolServer(dispatch: Dispatch): McpServer {
	const server = new McpServer({ name: "browser_tool_relay", version: "0.1.0" });
	const ask = async (request: RelayRequest, signal: AbortSignal): Promise<CallToolResult> => {
		try {
			return resultOf(await dispatch(request, signal));
		} catch (error) {
			return failureOf(error);
		}
	};

	server.registerTool(
		"getFormSnapshot",
		{
			description:
				"Reads the form in the person's page: its fields with id, label, kind, value and options.",
			inputSchema: {
				instruction: z.string().describe("what the form is read for"),
				document: z.string().optional().describe("text that goes with the instruction"),
			},
		},
		({ instruction, document }, { signal }) => {
			const request = { type: "snapshot_request", requestId: randomUUID(), instruction } as const;
			return ask({ ...request, ...(document !== undefined && { document }) }, signal);
		},
	);

	server.registerTool(
		"executeFormActions",
		{
			description:
				"Fills, selects and clicks fields of the last snapshot in the person's page, and reports what was applied.",
			inputSchema: {
				actions: z.array(actionInput),
				fields: z
					.array(z.record(z.string(), z.unknown()))
					.optional()
					.describe("the fields of that snapshot, as they were read"),
			},
		},
		(input, { signal }) => {
			const actions = z.array(browserToolActionSchema).safeParse(input.actions);
			if (!actions.success) return failure(`Wrong actions: ${z.prettifyError(actions.error)}`);
			const fields = z.array(snapshotFieldSchema).safeParse(input.fields ?? []);
			if (!fields.success) return failure(`Wrong fields: ${z.prettifyError(fields.error)}`);
			const requestId = randomUUID();
			const request = { actions: actions.data, fields: fields.data };
			return ask({ type: "execute_request", requestId, ...request }, signal);
		},
	);
	return server;
}
