import * as z from "zod";
import { relayRequestSchema, requestIdSchema } from "./relay-request";
import { relayResponseSchema } from "./relay-response";

/** Who speaks. The token may be in the `Authorization` header instead. */
const credentials = { sessionId: z.string(), token: z.string().optional() };

/** Of the page's own choice, the same for its claim and its answer. */
const claimIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** The agent's side asks, and waits for the page. */
export const dispatchBodySchema = z.looseObject({
	type: z.literal("relay.dispatch"),
	...credentials,
	request: relayRequestSchema,
	timeoutMs: z.number().int().positive().optional(),
});

/** The page answers. */
export const respondBodySchema = z.looseObject({
	type: z.literal("relay.respond"),
	...credentials,
	response: relayResponseSchema,
	claimId: claimIdSchema.optional(),
	/** How whoever brings the answer goes on with the turn. For show: any other word is left out. */
	resume: z.unknown().optional(),
});

/** The page takes a request before it runs it. */
export const claimBodySchema = z.looseObject({
	type: z.literal("relay.claim"),
	...credentials,
	requestId: requestIdSchema,
	claimId: claimIdSchema,
});

export const relayBodySchema = z.discriminatedUnion("type", [
	dispatchBodySchema,
	respondBodySchema,
	claimBodySchema,
]);

export type DispatchBody = z.infer<typeof dispatchBodySchema>;
export type RespondBody = z.infer<typeof respondBodySchema>;
export type ClaimBody = z.infer<typeof claimBodySchema>;
export type RelayBody = z.infer<typeof relayBodySchema>;
