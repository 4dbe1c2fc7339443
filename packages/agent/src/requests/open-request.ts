import { randomUUID } from "node:crypto";
import type { ExecuteRequestEvent, SnapshotRequestEvent } from "@baton/protocol";
import { isBatonError, type JsonObject, type Lease } from "@baton/session";
import { RequestError } from "./request-error";
import { encodeStanding, requestRegister } from "./request-register";
import { EVENTS_LOG, type SessionLog } from "./session-log";

/** The event of a request, as it stands in the log. */
export type RequestEvent = SnapshotRequestEvent | ExecuteRequestEvent;

/** Work that the agent asks of a page. Without an id it gets one. */
export type NewRequest =
	| { type: "snapshot_request"; requestId?: string; instruction: string; document?: string }
	| {
			type: "execute_request";
			requestId?: string;
			actions: readonly Record<string, unknown>[];
			fields: readonly Record<string, unknown>[];
	  };

export interface OpenedRequest {
	readonly requestId: string;
	/** The seq of the request's event: an answer comes after it. */
	readonly seq: number;
	/** True when the very same request was opened before; it may be over by now. */
	readonly repeated: boolean;
}

/**
 * Appends the request's event and opens the request in one step. The same request again is the first
 * one, so a caller whose reply was lost may ask again; another one under the same id is `reused`.
 */
export async function openRequest(
	sessions: SessionLog,
	sessionId: string,
	request: NewRequest,
	{ lease, runId }: { lease?: Lease; runId?: string } = {},
): Promise<OpenedRequest> {
	const { requestId = randomUUID() } = request;
	const register = requestRegister(requestId);
	const event = { ...request, requestId, ...(runId !== undefined && { run_id: runId }) };
	const { last: floor } = await sessions.state(sessionId, EVENTS_LOG);
	const kind = request.type === "snapshot_request" ? "snapshot" : "execute";
	const to = encodeStanding({ kind, floor, runId: runId ?? null, claimId: null });
	try {
		const appended = await sessions.append(sessionId, EVENTS_LOG, [event as JsonObject], {
			swap: { register, from: null, to },
			// Kept past the end of the request, so that its id never names a second one.
			once: { key: `open ${register}` },
			...(lease && { lease }),
		});
		return { requestId, seq: appended.first, repeated: appended.repeated };
	} catch (cause) {
		if (!isBatonError(cause, "conflict")) throw cause;
		throw new RequestError(
			"reused",
			`There was another request with the id "${requestId}" in this session; each request has its own.`,
			{ cause },
		);
	}
}
