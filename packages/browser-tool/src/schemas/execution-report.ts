import * as z from "zod";
import { snapshotFieldSchema } from "./snapshot-field";

/** Why an action was not applied, for programs. On the wire any text: a reader may be the older one. */
export const actionCodes = [
	"stale",
	"not-found",
	"outside-root",
	"not-allowed",
	"disabled",
	"readonly",
	"hidden",
	"option-not-found",
	"option-disabled",
	"malformed-value",
	"value-not-kept",
	"needs-approval",
	"denied",
	"unsupported",
] as const;

export type ActionCode = (typeof actionCodes)[number];

/** What became of one action. */
export const actionResultSchema = z.looseObject({
	fieldId: z.string(),
	action: z.string(),
	status: z.enum(["applied", "skipped", "failed"]),
	code: z.string().optional(),
	message: z.string().optional(),
	/** The field's value after the action, as it was read back. */
	value: z.union([z.string(), z.boolean()]).optional(),
	validationMessage: z.string().optional(),
});

/** What became of all of them. `results` has one entry per action, in their order. */
export const executionReportSchema = z.looseObject({
	applied: z.number().int().nonnegative(),
	skipped: z.number().int().nonnegative(),
	warnings: z.array(z.string()),
	results: z.array(actionResultSchema).optional(),
	/** The fields as they are now, when one that was named is `stale`. They replace the last snapshot. */
	snapshot: z.looseObject({ fields: z.array(snapshotFieldSchema) }).optional(),
});

export type ActionResult = z.infer<typeof actionResultSchema>;
export type ExecutionReport = z.infer<typeof executionReportSchema>;
