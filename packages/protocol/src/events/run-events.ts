import * as z from "zod";
import { eventSchema } from "./envelope";

/*
 * How a turn begins, is stopped, and survives its runner. Any process may append the first two; the
 * runner follows the log and acts on them.
 */

const seq = z.number().int().nonnegative();

/** An input was accepted and stored: its turn will run, now or when its place in the queue comes. */
export const inputAdmittedSchema = eventSchema("input_admitted", {
	run_id: z.string(),
	content: z.string(),
	document: z.string().optional(),
	agent: z.string().optional(),
	idempotency_key: z.string().optional(),
});

/** Someone asked to stop a turn; without `run_id`, the running turn and every queued one. */
export const abortRequestedSchema = eventSchema("abort_requested", {
	reason: z.string().optional(),
});

/** The runner was lost and another one goes on with the turn. */
export const recoveredSchema = eventSchema("recovered", {
	run_id: z.string(),
	/** `resume`: the agent continues where it was. `retry`: it does the turn again. */
	policy: z.enum(["resume", "retry"]),
	/** The attempt that starts here. The turn began with attempt 1. */
	attempt: z.number().int().min(2),
	/** Losses in a row that speak against the turn: those without a step forward in between. */
	losses: z.number().int().nonnegative().optional(),
	/** What was sent to the agent to make it continue. */
	prompt: z.string().optional(),
	reason: z.string().optional(),
});

/** The process that ran the turn stopped as planned; another one goes on with it. */
export const handedOverSchema = eventSchema("handed_over", {
	run_id: z.string(),
});

/** What the agent said in this turn, up to and including `up_to`, is withdrawn. */
export const retractSchema = eventSchema("retract", {
	run_id: z.string(),
	up_to: seq,
	reason: z.string().optional(),
});

/** One committed message of the conversation. */
const transcriptMessageSchema = z.looseObject({
	role: z.enum(["user", "assistant"]),
	content: z.string(),
	run_id: z.string().optional(),
});

/** The cursor cannot be continued. The reader forgets what it has and starts from here. */
export const resetSchema = eventSchema("reset", {
	/** `trimmed`: events after the cursor are gone. `diverged`: the log is not the one read before. */
	reason: z.string(),
	/** The `seq` that the next stored event has at least. */
	first: seq,
	/** The conversation up to there. */
	messages: z.array(transcriptMessageSchema),
});

export type InputAdmittedEvent = z.infer<typeof inputAdmittedSchema>;
export type AbortRequestedEvent = z.infer<typeof abortRequestedSchema>;
export type RecoveredEvent = z.infer<typeof recoveredSchema>;
export type RetractEvent = z.infer<typeof retractSchema>;
export type TranscriptMessage = z.infer<typeof transcriptMessageSchema>;
export type ResetEvent = z.infer<typeof resetSchema>;
