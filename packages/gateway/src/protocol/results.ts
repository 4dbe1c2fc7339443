import { z } from "zod";
import { message } from "./frames";

/* What each method answers. */

const meta = z.object({
	key: z.string(),
	agentId: z.string(),
	createdAt: z.number(),
	updatedAt: z.number(),
	label: z.string().optional(),
	/** Through which door it was started. */
	door: z.string().optional(),
});

const cursor = z.string().nullable();

const unfinished = {
	/** Subscribe after it: nothing is missed, nothing comes twice. */
	seq: z.int(),
	partial: z.object({ runId: z.string(), text: z.string() }).nullable(),
	queued: z.array(z.string()),
};

const history = {
	messages: z.array(message),
	first: z.int(),
	hasMore: z.boolean(),
	...unfinished,
};

export const results = {
	hello: z.object({
		protocol: z.int(),
		server: z.string(),
		methods: z.array(z.string()),
		events: z.array(z.string()),
		limits: z.record(z.string(), z.number()),
	}),
	"health.check": z.object({ status: z.string(), uptime: z.number() }),
	"agents.list": z.object({
		agents: z.array(
			z.object({
				id: z.string(),
				name: z.string(),
				model: z.string(),
				description: z.string(),
				servedBy: z.string().optional(),
				notice: z.string().optional(),
			}),
		),
		warnings: z.array(z.string()).optional(),
	}),
	"sessions.create": z.object({ sessionKey: z.string() }),
	"sessions.list": z.object({ sessions: z.array(meta), cursor }),
	"sessions.get": z.object({ session: meta, ...history }),
	"sessions.patch": z.object({ session: meta }),
	"sessions.delete": z.object({ deleted: z.literal(true) }),
	"sessions.fork": z.object({ sessionKey: z.string(), messages: z.int() }),
	"sessions.search": z.object({
		matches: z.array(
			z.object({
				session: meta,
				/** The text around the find. */
				excerpt: z.string(),
				role: z.string().optional(),
				runId: z.string().optional(),
				timestamp: z.number().optional(),
			}),
		),
		cursor,
	}),
	"chat.send": z.object({
		runId: z.string(),
		seq: z.int(),
		/** An idempotency key brought back an earlier turn. */
		repeated: z.literal(true).optional(),
	}),
	"chat.history": z.object(history),
	"chat.abort": z.object({ aborted: z.boolean() }),
	"chat.subscribe": z.object({ after: z.int(), last: z.int() }),
	"chat.unsubscribe": z.object({ unsubscribed: z.boolean() }),
	"chat.wait": z.object({
		runId: z.string(),
		status: z.enum(["running", "success", "error", "aborted"]),
		error: z.string().optional(),
	}),
} as const satisfies Record<string, z.ZodType>;
