import * as z from "zod";

/** What an agent may do with a field of the last snapshot. */
export const browserToolActionSchema = z.discriminatedUnion("action", [
	z.looseObject({ action: z.literal("fill"), fieldId: z.string(), value: z.string() }),
	z.looseObject({ action: z.literal("click"), fieldId: z.string() }),
	z.looseObject({
		action: z.literal("select"),
		fieldId: z.string(),
		value: z.string(),
		/** For a field with `multiple`: everything that shall be chosen. */
		values: z.array(z.string()).optional(),
	}),
]);

export type BrowserToolAction = z.infer<typeof browserToolActionSchema>;
