import { z } from "zod";
import { AgentforceError } from "./agentforce-error";
import { parseJson } from "./read-text";

/** What the API says about a failure. */
const errorSchema = z.looseObject({
	requestId: z.string().optional().catch(undefined),
	error: z.string().optional().catch(undefined),
	message: z.string().optional().catch(undefined),
});

/** What an HTTP status of the API means. `hasSession`: the call was about a session. */
export function errorOfStatus(status: number, text: string, hasSession: boolean): AgentforceError {
	const body = errorSchema.safeParse(parseJson(text)).data;
	const details = [body?.requestId, body?.error, body?.message]
		.filter(Boolean)
		.join(" ")
		.slice(0, 500);
	const make = (kind: AgentforceError["kind"], message: string) =>
		new AgentforceError(kind, message, { status, details });
	if (status === 401) return make("unauthorized", "Agentforce refuses a fresh token.");
	if (status === 404 && hasSession) {
		return make("session_gone", "The Agentforce session expired or was ended.");
	}
	if (status === 423) return make("busy", "The Agentforce session is busy with another request.");
	if (status === 429) return make("rate_limited", "Agentforce takes no more requests for now.");
	if (status === 502 || status === 503 || status === 504) {
		return make("unavailable", "Agentforce is not available right now.");
	}
	if (status >= 500) {
		const message = "Agentforce failed at this message, which may have had effects already.";
		return make("failed", message);
	}
	return make("refused", `Agentforce does not accept the request (status ${status}).`);
}

/** What a call that got no answer at all means. */
export function errorOfFetch(cause: unknown, timedOut: boolean): AgentforceError {
	if (timedOut) {
		const message = "Agentforce did not answer in time; the message may have had effects already.";
		return new AgentforceError("timeout", message, { cause });
	}
	return new AgentforceError("unavailable", "Agentforce cannot be reached.", { cause });
}
