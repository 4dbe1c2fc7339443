import { besideRun } from "./endpoints";
import { errorResponse } from "./relay-response";
import { RelayRefusal } from "./send-relay-response";
import type { Settings } from "./settings";
import type { SessionMetadata } from "./types";

/** What became of an answer. */
export type Delivery =
	| "delivered"
	| "closed" // the request no longer waits: answered, expired, or its turn is over
	| "stale"; // the credentials are no longer good

type Answer = Record<string, unknown> & { requestId: string };

/** With what an answer is handed over. */
type AnswerCredentials = Pick<SessionMetadata, "relaySessionId" | "relayToken" | "relayUrl"> & {
	claimId?: string | undefined;
	resume?: "hot" | "cold" | undefined;
};

/**
 * Hands one answer to the relay. An answer of a shape that the relay does not take becomes an error
 * for the agent, which would otherwise wait for its time limit. Rejects when the relay cannot be
 * reached: then it is unknown whether it arrived.
 */
export async function deliverAnswer(
	settings: Pick<Settings, "deps" | "endpoint">,
	relay: AnswerCredentials,
	response: Answer,
): Promise<Delivery> {
	const { relaySessionId: sessionId, relayToken: token, claimId, resume } = relay;
	// A server that does not say where its relay is has it beside its `run`.
	const relayUrl = relay.relayUrl ?? besideRun(settings.endpoint, "relay");
	if (sessionId === undefined || token === undefined || relayUrl === null) return "stale";
	try {
		const how = { ...(claimId !== undefined && { claimId }), ...(resume && { resume }) };
		await settings.deps.sendRelayResponse({ relayUrl, sessionId, token, response, ...how });
		return "delivered";
	} catch (error) {
		if (!(error instanceof RelayRefusal)) throw error;
		switch (error.errorCode) {
			case "UNAUTHORIZED":
				return "stale";
			case "INVALID_RESPONSE":
				if (response.type === "error_response") return "closed";
				return deliverAnswer(settings, relay, errorResponse(response.requestId, error.message));
			case "NOT_FOUND":
			case "CLAIMED":
			case "TIMEOUT":
				return "closed";
			default:
				throw error;
		}
	}
}
