import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { type RelayResponse, relayResponseSchema } from "@baton/protocol";
import type { TaskEvent } from "./task/task-event";

/**
 * The answer to the agent's request that a message carries: a data part of the protocol's shape. It
 * may leave out the request's id while one request is open.
 */
export function answerOf(message: Message, pending: readonly TaskEvent[]): RelayResponse {
	const data = message.parts.find(({ content }) => content?.$case === "data")?.content?.value;
	const [only] = pending.length === 1 ? pending : [];
	const answer = relayResponseSchema.safeParse({
		...(only && { requestId: only.requestId }),
		...(typeof data === "object" && data !== null ? data : {}),
	});
	if (answer.success) return answer.data;
	const kind = pending[0]?.type === "execute_request" ? "execute_response" : "snapshot_response";
	throw new RequestMalformedError(
		`The task waits for a data part {"type":"${kind}","requestId":…} or {"type":"error_response","requestId":…,"message":…}.`,
	);
}
