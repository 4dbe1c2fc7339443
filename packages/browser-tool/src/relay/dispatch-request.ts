import { openRequest, type SessionLog, settleRequest } from "@baton/agent";
import { type RelayRequest, type RelayResponse, relayResponseSchema } from "../types";
import { RelayError } from "./relay-error";
import type { Relay } from "./relay-session";

/** Opens the request in the agent session's log, and waits for its end, whoever writes that. */
export async function dispatchRequest(
	sessions: SessionLog,
	{ agentSessionId, runId }: Relay,
	request: RelayRequest,
	options: { timeoutMs: number; signal?: AbortSignal },
): Promise<RelayResponse> {
	const opened = await openRequest(sessions, agentSessionId, request, {
		...(runId !== null && { runId }),
	});
	const wait = { after: opened.seq, ...options };
	const end = await settleRequest(sessions, agentSessionId, opened.requestId, wait);
	if (end.kind === "answered") return readAnswer(end.response);
	if (end.reason === "expired") {
		const seconds = options.timeoutMs / 1000;
		throw new RelayError("TIMEOUT", `The page did not answer within ${seconds} s.`);
	}
	throw new RelayError("CONFLICT", `The request was closed without an answer: ${end.reason}.`);
}

/** Answers reach the log by other doors too, which check less of them. */
function readAnswer(response: unknown): RelayResponse {
	const checked = relayResponseSchema.safeParse(response);
	if (checked.success) return response as RelayResponse;
	const [issue] = checked.error.issues;
	throw new RelayError(
		"INVALID_RESPONSE",
		`The page's answer is not understood: ${issue?.path.join(".")}: ${issue?.message}.`,
	);
}
