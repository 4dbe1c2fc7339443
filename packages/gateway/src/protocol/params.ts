import { z } from "zod";

/*
 * The params of each method. Fields that nobody here knows are ignored, so that a client of later
 * still works with a server of before.
 */

const sessionKey = z.uuid();
const runId = z.uuid();
const cursor = z.string().min(1).max(2_048);
const seq = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const label = z.string().trim().min(1).max(200);

export const HelloParams = z.object({});
export const HealthParams = z.object({});
export const AgentsListParams = z.object({});

export const CreateParams = z.object({
	agentId: z.string().min(1).max(128).optional(),
	label: label.optional(),
});

export const GetParams = z.object({ sessionKey });

export const ListParams = z.object({
	limit: z.int().min(1).max(1_000).default(200),
	/** From an earlier page. */
	cursor: cursor.optional(),
});

export const PatchParams = z.object({
	sessionKey,
	/** Null takes it away. */
	label: label.nullable(),
});

export const DeleteParams = z.object({ sessionKey });

export const ForkParams = z.object({
	sessionKey,
	/** The last turn that the copy has. Default: all that have ended. */
	upTo: runId.optional(),
	label: label.optional(),
});

export const SearchParams = z.object({
	/** Words that the label or a message contains, in any case. */
	query: z.string().trim().min(1).max(200),
	limit: z.int().min(1).max(100).default(20),
	cursor: cursor.optional(),
});

export const SendParams = z.object({
	sessionKey,
	message: z.string().min(1).max(32_000),
	/** The same key and message again: the first turn again, not a second one. */
	idempotencyKey: z.string().min(1).max(256).optional(),
	/** While another turn runs: wait, be refused with 409, or stop it and go next. */
	whenBusy: z.enum(["queue", "reject", "interrupt"]).optional(),
});

export const HistoryParams = z.object({
	sessionKey,
	limit: z.int().min(1).max(500).default(100),
	/** Only messages before this place: the `first` of an earlier answer. */
	before: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
});

export const AbortParams = z.object({
	runId,
	/** Finds the turn without looking for it, where another process started it. */
	sessionKey: sessionKey.optional(),
});

export const SubscribeParams = z.object({
	sessionKey,
	/** The last `seq` that the client has. Default: from the start of a turn that runs, or from now. */
	after: seq.optional(),
});

export const UnsubscribeParams = z.object({ sessionKey });

export const WaitParams = z.object({
	sessionKey,
	runId,
	timeoutMs: z.int().min(0).max(300_000).default(60_000),
});
