import { SESSION_STATES } from "@baton/protocol";
import { z } from "zod";
import { ApiError } from "../api-error";

const MAX_LIMIT = 200;
/** As many sessions as a reader can have in view. */
const MAX_WATCHED = 100;

const whole = (least: number, most: number) =>
	z
		.string()
		.regex(/^\d{1,15}$/, `is a number from ${least} to ${most}`)
		.transform(Number)
		.pipe(z.number().min(least).max(most));
const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const word = z.string().min(1).max(128);

const listSchema = z.object({
	limit: whole(1, MAX_LIMIT).default(50),
	cursor: z.string().min(1).max(1_024).optional(),
	details: flag.default(false),
	q: z.string().max(200).optional(),
	state: z.enum(SESSION_STATES).optional(),
	door: word.optional(),
	agent: word.optional(),
	watch: flag.default(false),
	/** Sessions made before are not told as new ones. */
	since: whole(0, Number.MAX_SAFE_INTEGER).optional(),
	ids: z.array(z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)).max(MAX_WATCHED),
});

const eventsSchema = z.object({
	after: whole(0, Number.MAX_SAFE_INTEGER).default(0),
	limit: whole(1, 1_000).default(500),
	text: flag.default(true),
	follow: flag.default(false),
});

const messagesSchema = z.object({
	limit: whole(1, 500).default(100),
	/** Only messages before this place: the `first` of an earlier answer. */
	before: whole(1, Number.MAX_SAFE_INTEGER).optional(),
});

export type ListQuery = z.infer<typeof listSchema>;
export type EventsQuery = z.infer<typeof eventsSchema>;

/** Which sessions to list: those that fit every condition. */
export function parseListQuery(query: URLSearchParams): ListQuery {
	return parse(listSchema, { ...Object.fromEntries(query), ids: query.getAll("id") });
}

/** Which events of a session to read. */
export function parseEventsQuery(query: URLSearchParams): EventsQuery {
	return parse(eventsSchema, Object.fromEntries(query));
}

/** Which messages of a session to read. */
export function parseMessagesQuery(query: URLSearchParams): z.infer<typeof messagesSchema> {
	return parse(messagesSchema, Object.fromEntries(query));
}

function parse<T>(schema: z.ZodType<T>, values: unknown): T {
	const result = schema.safeParse(values);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw new ApiError("INVALID_REQUEST", `${issue?.path.join(".")}: ${issue?.message}.`);
}
