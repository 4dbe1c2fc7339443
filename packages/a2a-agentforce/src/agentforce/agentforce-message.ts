import { z } from "zod";

const text = z.string().optional().catch(undefined);
const list = z.array(z.record(z.string(), z.unknown())).optional().catch(undefined);

/**
 * A message of Agentforce, of any type. Only the type must be there; a field of another shape than
 * is known counts as absent, and unknown fields stay.
 */
export const messageSchema = z.looseObject({
	type: z.string(),
	id: text,
	/** The text of Inform, TextChunk, ProgressIndicator, Inquire and Confirm. */
	message: text,
	citedReferences: list,
	planId: text,
	feedbackId: text,
	/** Why: of ValidationFailureChunk and SessionEnded. */
	reason: text,
	/** Of Failure. */
	code: text,
	errors: z.array(z.unknown()).optional().catch(undefined),
	/** Of Escalate. */
	targets: list,
	/** Of Error. */
	httpStatus: z.number().optional().catch(undefined),
	traceId: text,
});

export type AgentforceMessage = z.infer<typeof messageSchema>;

export const sessionSchema = z.looseObject({
	sessionId: z.string().min(1),
	messages: z.array(messageSchema).default([]).catch([]),
});

export const answerSchema = z.looseObject({ messages: z.array(messageSchema) });

/** What a server-sent event carries. Its name says the same as the type inside, which counts. */
export const streamEventSchema = z.looseObject({ message: messageSchema });
