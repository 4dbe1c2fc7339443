import { z } from "zod";

/* Every frame, as it is on the wire. `json-schema.ts` publishes them; tests hold the server to them. */

const id = z.union([z.string().max(256), z.number()]);
const time = z.number().describe("Unix ms");
const ofRun = { sessionKey: z.string(), runId: z.string(), seq: z.int() };

const usage = z.object({ inputTokens: z.number(), outputTokens: z.number() });

export const message = z.object({
	role: z.enum(["user", "assistant", "tool_result"]),
	content: z.string(),
	timestamp: time,
	runId: z.string().optional(),
	toolName: z.string().optional(),
	status: z.enum(["error", "aborted"]).optional(),
	error: z.string().optional(),
});

/** The first frame of a client, and what it is answered. */
export const authFrame = z.object({
	type: z.literal("auth"),
	token: z.string().max(4_096),
	/** Events to be told by name that are off otherwise: `chat.aborted`. */
	events: z.array(z.string().max(64)).max(32).optional(),
});

export const authAnswer = z.union([
	z.object({ type: z.literal("auth"), ok: z.literal(true) }),
	z.object({ type: z.literal("auth"), ok: z.literal(false), error: z.string() }),
]);

export const requestFrame = z.object({
	id,
	method: z.string().min(1).max(64),
	params: z.unknown().optional(),
});

export const resultFrame = z.object({ id, result: z.unknown() });

export const errorFrame = z.object({
	/** Null when the request could not be read. */
	id: id.nullable(),
	error: z.object({
		code: z.int(),
		message: z.string(),
		data: z.object({ type: z.string(), retryable: z.boolean() }),
	}),
});

const stopped = z.literal(true).optional();

/** What each event carries. */
export const eventData = {
	"chat.message": z.object({
		role: z.literal("user"),
		content: z.string(),
		timestamp: time,
		...ofRun,
	}),
	"chat.started": z.object({
		agent: z.string().optional(),
		model: z.string().optional(),
		...ofRun,
	}),
	"chat.delta": z.object({ text: z.string(), ...ofRun }),
	"chat.tool": z.object({
		phase: z.enum(["start", "end"]),
		toolId: z.string(),
		toolName: z.string().optional(),
		status: z.string().optional(),
		parameters: z.unknown().optional(),
		output: z.unknown().optional(),
		...ofRun,
	}),
	"chat.retract": z.object({ reason: z.string().optional(), ...ofRun }),
	"chat.recovered": z.object({ attempt: z.int(), policy: z.string(), ...ofRun }),
	"chat.final": z.object({
		usage,
		servedBy: z.string().optional(),
		notice: z.string().optional(),
		...ofRun,
	}),
	"chat.error": z.object({
		message: z.string(),
		code: z.string(),
		retryable: z.boolean(),
		aborted: stopped,
		dropped: stopped,
		servedBy: z.string().optional(),
		...ofRun,
	}),
	"chat.aborted": z.object({
		message: z.string(),
		code: z.literal("aborted"),
		retryable: z.boolean(),
		aborted: z.literal(true),
		dropped: stopped,
		servedBy: z.string().optional(),
		...ofRun,
	}),
	"chat.event": z.object({ ...ofRun, runId: z.string().optional(), event: z.unknown() }),
	"chat.reset": z.object({
		sessionKey: z.string(),
		reason: z.string(),
		seq: z.int(),
		messages: z.array(message),
		/** The place of the first of them; `chat.history` has those before it. */
		first: z.int(),
		hasMore: z.boolean(),
	}),
	"sessions.deleted": z.object({ sessionKey: z.string() }),
} as const;

export const EVENT_NAMES = Object.keys(eventData) as (keyof typeof eventData)[];
