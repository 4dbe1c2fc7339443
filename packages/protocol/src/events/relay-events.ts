import * as z from "zod";
import { eventSchema } from "./envelope";

/*
 * Work that the client does for the agent. The shapes of fields, actions and reports belong to the
 * browser tool, which checks them; here they are objects that are passed on as they are.
 */

const objects = z.array(z.looseObject({}));

/** Where and with what the client answers requests. Made for each response, never stored. */
export const relaySessionSchema = eventSchema("relay.session", {
	sessionId: z.string(),
	token: z.string(),
	/** Unix ms. */
	expiresAt: z.number(),
	relayUrl: z.string(),
});

/** On a request that an attach sends again because it is still pending. */
const repeated = z.literal(true).optional();

/** The agent asks for the fields of the form in the page. */
export const snapshotRequestSchema = eventSchema("snapshot_request", {
	requestId: z.string(),
	instruction: z.string(),
	document: z.string().optional(),
	repeated,
});

/** The agent asks the page to act on fields of an earlier snapshot. */
export const executeRequestSchema = eventSchema("execute_request", {
	requestId: z.string(),
	actions: objects,
	fields: objects,
	repeated,
});

/** What the client answers to a request. */
export const relayResponseSchema = z.discriminatedUnion("type", [
	z.looseObject({ type: z.literal("snapshot_response"), requestId: z.string(), fields: objects }),
	z.looseObject({
		type: z.literal("execute_response"),
		requestId: z.string(),
		report: z.looseObject({}),
	}),
	z.looseObject({ type: z.literal("error_response"), requestId: z.string(), message: z.string() }),
]);

/** A page took the request, before it runs it: no other page may. */
export const requestClaimedSchema = eventSchema("request_claimed", {
	requestId: z.string(),
	/** Chosen by the page, and sent again with its answer. */
	claimId: z.string(),
});

/** The client's answer. The runner hands it to the agent. */
export const requestAnsweredSchema = eventSchema("request_answered", {
	requestId: z.string(),
	response: relayResponseSchema,
	/** `hot`: its bringer reads on where it had stayed. `cold`: it attaches anew. Absent: not known. */
	resume: z.string().optional(),
});

/** The request is no longer open; a later answer is refused. */
export const requestClosedSchema = eventSchema("request_closed", {
	requestId: z.string(),
	/** `recovered`, `expired`, `aborted`, `superseded`, or a later word. */
	reason: z.string(),
});

export type RelaySessionEvent = z.infer<typeof relaySessionSchema>;
export type SnapshotRequestEvent = z.infer<typeof snapshotRequestSchema>;
export type ExecuteRequestEvent = z.infer<typeof executeRequestSchema>;
export type RelayResponse = z.infer<typeof relayResponseSchema>;
export type RequestClaimedEvent = z.infer<typeof requestClaimedSchema>;
export type RequestAnsweredEvent = z.infer<typeof requestAnsweredSchema>;
export type RequestClosedEvent = z.infer<typeof requestClosedSchema>;
