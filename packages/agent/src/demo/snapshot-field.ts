import * as z from "zod";

const optionSchema = z.union([
	z.string(),
	z
		.looseObject({ value: z.string().optional(), label: z.string().optional() })
		.transform(({ value, label }) => label ?? value ?? ""),
]);

/**
 * A field of a form, as far as the demo agent looks at it. Pages may tell more; of what they tell
 * wrongly, only the id and the kind matter.
 */
export const snapshotFieldSchema = z.looseObject({
	fieldId: z.string(),
	kind: z.string(),
	label: z.string().catch(""),
	name: z.string().optional().catch(undefined),
	placeholder: z.string().optional().catch(undefined),
	required: z.boolean().catch(false),
	disabled: z.boolean().optional().catch(undefined),
	readonly: z.boolean().optional().catch(undefined),
	/** The `type` of an input: `email`, `date`, `password` … */
	inputType: z.string().optional().catch(undefined),
	/** Present on a secret, whose value stays in the page. */
	filled: z.boolean().optional().catch(undefined),
	/** A click on it sends the form. */
	submits: z.boolean().optional().catch(undefined),
	currentValue: z.union([z.string(), z.boolean()]).optional().catch(undefined),
	options: z.array(optionSchema).optional().catch(undefined),
});

export type SnapshotField = z.infer<typeof snapshotFieldSchema>;

export function readFields(fields: readonly unknown[]): SnapshotField[] {
	return fields.flatMap((field) => {
		const parsed = snapshotFieldSchema.safeParse(field);
		return parsed.success ? [parsed.data] : [];
	});
}
