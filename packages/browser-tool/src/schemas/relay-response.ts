import * as z from "zod";
import { executionReportSchema } from "./execution-report";
import { requestIdSchema } from "./relay-request";
import { snapshotFieldSchema } from "./snapshot-field";

export const snapshotResponseSchema = z.looseObject({
	type: z.literal("snapshot_response"),
	requestId: requestIdSchema,
	fields: z.array(snapshotFieldSchema),
	/** Parts of the page that could not be looked into: closed shadow roots, foreign frames. */
	opaque: z.array(z.looseObject({ reason: z.string(), label: z.string().optional() })).optional(),
	/** There were more fields than the page hands over. */
	truncated: z.boolean().optional(),
});

export const executeResponseSchema = z.looseObject({
	type: z.literal("execute_response"),
	requestId: requestIdSchema,
	report: executionReportSchema,
});

/** The page failed, or the person said no. */
export const errorResponseSchema = z.looseObject({
	type: z.literal("error_response"),
	requestId: requestIdSchema,
	message: z.string(),
	/** `denied` when the person said no; or another word that explains. */
	code: z.string().optional(),
});

export const relayResponseSchema = z.discriminatedUnion("type", [
	snapshotResponseSchema,
	executeResponseSchema,
	errorResponseSchema,
]);

export type SnapshotResponse = z.infer<typeof snapshotResponseSchema>;
export type ExecuteResponse = z.infer<typeof executeResponseSchema>;
export type ErrorResponse = z.infer<typeof errorResponseSchema>;
export type RelayResponse = z.infer<typeof relayResponseSchema>;
