import * as z from "zod";

/*
 * What the agent gets to see of a form. The first five kinds and the fields without a remark are the
 * least that every page sends and every agent understands; the rest is additive. All objects are
 * loose: a field that nobody here knows is passed on.
 */

export const fieldKinds = [
	"text",
	"textarea",
	"select",
	"checkbox",
	"radio",
	// Added: what none of the five describes. An email or date input is `text` with its `inputType`.
	"switch",
	"combobox",
	"listbox",
	"slider",
	"spinbutton",
	"richtext",
	"file",
	"button",
] as const;

/** One choice of a select, radio group, combobox or listbox, with more than its text. */
export const fieldOptionSchema = z.looseObject({
	value: z.string(),
	label: z.string(),
	selected: z.boolean().optional(),
	disabled: z.boolean().optional(),
	/** The label of its optgroup. */
	group: z.string().optional(),
});

export const snapshotFieldSchema = z.looseObject({
	/** What an action names the field by; it means something until the next snapshot alone. */
	fieldId: z.string(),
	/** Where the page found it, for people. No selector from an agent is ever run. */
	selector: z.string(),
	kind: z.enum(fieldKinds),
	label: z.string(),
	name: z.string().optional(),
	required: z.boolean(),
	placeholder: z.string().optional(),
	currentValue: z.union([z.string(), z.boolean()]),
	options: z.array(z.string()).optional(),

	/** The `type` of an input: `email`, `date`, `password` … */
	inputType: z.string().optional(),
	description: z.string().optional(),
	/** The legends around the field, outermost first. */
	legends: z.array(z.string()).optional(),
	disabled: z.boolean().optional(),
	readonly: z.boolean().optional(),
	invalid: z.boolean().optional(),
	validationMessage: z.string().optional(),
	/** Of a secret (a password, a card number): whether it has a value. The value stays in the page. */
	filled: z.boolean().optional(),
	/** Several options may be chosen at once; `currentValues` are those that are. */
	multiple: z.boolean().optional(),
	currentValues: z.array(z.string()).optional(),
	optionDetails: z.array(fieldOptionSchema).optional(),
	min: z.union([z.string(), z.number()]).optional(),
	max: z.union([z.string(), z.number()]).optional(),
	step: z.union([z.string(), z.number()]).optional(),
	maxLength: z.number().int().nonnegative().optional(),
	/** A click on it sends the form, so the person is asked first. */
	submits: z.boolean().optional(),
});

export type FieldOption = z.infer<typeof fieldOptionSchema>;
export type SnapshotField = z.infer<typeof snapshotFieldSchema>;
