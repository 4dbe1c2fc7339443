import * as z from "zod";
import {
	claimBodySchema,
	dispatchBodySchema,
	type RelayBody,
	type RelayResponse,
	respondBodySchema,
} from "../types";
import { badRequest, RelayError } from "./relay-error";
import type { RelayRole } from "./relay-session";
import type { RelayStore } from "./relay-store";

const resumeSchema = z.enum(["hot", "cold"]);

const ROLE_FOR: Record<RelayBody["type"], RelayRole> = {
	"relay.dispatch": "agent",
	"relay.respond": "page",
	"relay.claim": "page",
};

const envelopeSchema = z.looseObject({
	type: z.enum(["relay.dispatch", "relay.respond", "relay.claim"]),
	sessionId: z.string(),
	token: z.string().optional(),
});

/** Does what a body asks for, and returns the answer. Who it is comes before what it says. */
export async function relayPost(
	store: RelayStore,
	body: unknown,
	bearer: string | null,
): Promise<{ ok: true; response?: RelayResponse }> {
	const { type, sessionId, token } = checked(envelopeSchema, body, badRequest);
	// The header may hold the key of the API around the relay; the body's token is meant for it.
	const shown = token ?? bearer;
	if (shown === null) throw missingToken();
	const relay = await store.authenticate(sessionId, shown, ROLE_FOR[type]);
	switch (type) {
		case "relay.dispatch": {
			const { request, timeoutMs } = checked(dispatchBodySchema, body, badRequest);
			// Not tied to the caller's connection: the agent may lose it, and ask again with the same id.
			const options = { ...(timeoutMs !== undefined && { timeoutMs }) };
			return { ok: true, response: await store.dispatch(relay, request, options) };
		}
		case "relay.respond": {
			const { response, claimId, ...rest } = checked(respondBodySchema, body, invalidResponse);
			const resume = resumeSchema.safeParse(rest.resume).data;
			const options = { ...(claimId !== undefined && { claimId }), ...(resume && { resume }) };
			await store.respond(relay, response, options);
			return { ok: true };
		}
		case "relay.claim": {
			const { requestId, claimId } = checked(claimBodySchema, body, badRequest);
			await store.claim(relay, requestId, claimId);
			return { ok: true };
		}
	}
}

export function missingToken(): RelayError {
	return new RelayError("UNAUTHORIZED", "A token is needed, in the Authorization header.");
}

function invalidResponse(message: string): RelayError {
	return new RelayError("INVALID_RESPONSE", message);
}

/** The very value that came in, with every field it had: checked, not copied. */
function checked<T>(
	schema: z.ZodType<T>,
	value: unknown,
	refusal: (message: string) => RelayError,
): T {
	const result = schema.safeParse(value);
	if (result.success) return value as T;
	const issue = result.error.issues[0];
	const where = issue?.path.length ? `Field ${issue.path.join(".")}` : "The body";
	throw refusal(`${where}: ${issue?.message ?? "is not valid"}.`);
}
