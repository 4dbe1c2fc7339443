import * as z from "zod";
import { browserToolActionSchema } from "./browser-tool-action";
import { snapshotFieldSchema } from "./snapshot-field";

/** Chosen by whoever asks; a UUID for instance. */
export const requestIdSchema = z.string().min(1).max(256);

/** The agent asks for the fields of the form in the page. */
export const snapshotRequestSchema = z.looseObject({
	type: z.literal("snapshot_request"),
	requestId: requestIdSchema,
	instruction: z.string(),
	document: z.string().optional(),
});

/** The agent asks the page to act on fields of an earlier snapshot. */
export const executeRequestSchema = z.looseObject({
	type: z.literal("execute_request"),
	requestId: requestIdSchema,
	actions: z.array(browserToolActionSchema),
	/** What the agent saw, so that a page can tell whether it is still so. May be empty. */
	fields: z.array(snapshotFieldSchema),
});

export const relayRequestSchema = z.discriminatedUnion("type", [
	snapshotRequestSchema,
	executeRequestSchema,
]);

export type SnapshotRequest = z.infer<typeof snapshotRequestSchema>;
export type ExecuteRequest = z.infer<typeof executeRequestSchema>;
export type RelayRequest = z.infer<typeof relayRequestSchema>;
