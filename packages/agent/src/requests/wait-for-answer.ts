import { findRequestEnd } from "./find-request-end";
import { type RequestEnd, requestEndOf } from "./request-end";
import { requestRegister } from "./request-register";
import { EVENTS_LOG, type SessionLog } from "./session-log";

export type AnswerOutcome =
	| RequestEnd
	| { readonly kind: "timeout" }
	| { readonly kind: "aborted" };

export interface WaitForAnswerOptions {
	/** The seq of the request's event. */
	after: number;
	signal?: AbortSignal;
	/** Default: as long as it takes. */
	timeoutMs?: number;
}

/**
 * Follows the session's log until the request is answered or closed, wherever that happens. Waiting
 * changes nothing: after `timeout` or `aborted` the request is as open as before.
 */
export async function waitForAnswer(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
	{ after, signal, timeoutMs }: WaitForAnswerOptions,
): Promise<AnswerOutcome> {
	if (signal?.aborted) return { kind: "aborted" };
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	signal?.addEventListener("abort", onAbort, { once: true });
	const timer = timeoutMs === undefined ? undefined : setTimeout(onAbort, timeoutMs);
	try {
		for await (const batch of sessions.follow(sessionId, EVENTS_LOG, {
			after,
			signal: stop.signal,
		})) {
			if (batch.reset) {
				const lost = await endAfterReset(sessions, sessionId, requestId);
				if (lost) return lost;
			}
			for (const entry of batch.entries) {
				const end = requestEndOf(entry, requestId);
				if (end) return end;
			}
		}
		return signal?.aborted ? { kind: "aborted" } : { kind: "timeout" };
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", onAbort);
	}
}

/** The log was cut or changed: the answer may be in the part that is gone. */
async function endAfterReset(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
): Promise<RequestEnd | null> {
	const { registers, last } = await sessions.state(sessionId, EVENTS_LOG);
	if (registers[requestRegister(requestId)] !== undefined) return null;
	const end = await findRequestEnd(sessions, sessionId, requestId);
	return end ?? { kind: "closed", seq: last, reason: "lost" };
}
