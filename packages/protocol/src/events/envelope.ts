import * as z from "zod";

/**
 * Fields that any line may carry. A line that stands in the session's log has `seq`; one that was
 * made for this response alone (`relay.session`, `reset`) has none.
 */
const envelope = {
	/** The event's number in the session's log: the cursor to continue after. */
	seq: z.number().int().positive().optional(),
	/** The turn that the event belongs to. */
	run_id: z.string().optional(),
	/** Wall time, for display alone. */
	timestamp: z.union([z.string(), z.number()]).optional(),
	/** The W3C trace context that it was made in, where traces are on. */
	traceparent: z.string().optional(),
};

/** An event of this type. Loose: fields that nobody here knows are kept. */
export function eventSchema<Type extends string, Shape extends z.ZodRawShape>(
	type: Type,
	shape: Shape,
) {
	return z.looseObject({ type: z.literal(type), ...envelope, ...shape });
}
