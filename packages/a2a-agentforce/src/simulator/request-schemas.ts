import { z } from "zod";

/* What the API takes, checked as strictly as a client should be. */

export const startSchema = z.object({
	externalSessionKey: z.uuid(),
	instanceConfig: z.object({ endpoint: z.url() }),
	streamingCapabilities: z.object({ chunkTypes: z.array(z.literal("Text")) }),
	bypassUser: z.boolean(),
	variables: z.array(z.unknown()).optional(),
	tz: z.string().optional(),
});

export const messageSchema = z.object({
	message: z.object({
		type: z.literal("Text"),
		sequenceId: z.number().int().positive(),
		text: z.string().min(1),
		inReplyToMessageId: z.string().optional(),
	}),
	variables: z.array(z.unknown()),
});

export const feedbackSchema = z.object({
	feedbackId: z.string().min(1),
	feedback: z.enum(["GOOD", "BAD"]),
});

export const endReasonSchema = z.enum(["UserRequest", "Transfer", "Expiration", "Error", "Other"]);
