import { isBatonError, type Json, type JsonObject, type Lease } from "@baton/session";
import {
	decodeStanding,
	encodeStanding,
	type RequestStanding,
	requestRegister,
} from "./request-register";
import { EVENTS_LOG, type SessionLog } from "./session-log";

/** What to do about a request as it stands; null: nothing, it is as it should be. */
interface RequestStep {
	/** Null: the request is over with this step. */
	to: RequestStanding | null;
	event: JsonObject;
}

type SwapOutcome = "done" | "nothing_to_do" | "not_open";

/**
 * Reads where a request stands, asks `decide` what follows, and does it in one step; again from the
 * start when someone else changed it in between. Each round that fails is another's that succeeded,
 * and a request has at most three steps, so this ends.
 */
export async function swapRequest(
	sessions: SessionLog,
	sessionId: string,
	requestId: string,
	decide: (standing: RequestStanding) => RequestStep | null,
	options: { lease?: Lease } = {},
): Promise<SwapOutcome> {
	const register = requestRegister(requestId);
	for (;;) {
		const { registers } = await sessions.state(sessionId, EVENTS_LOG);
		const from = registers[register];
		if (from === undefined) return "not_open";
		const standing = decodeStanding(from);
		const step = decide(standing);
		if (!step) return "nothing_to_do";
		const event: Json = {
			...step.event,
			requestId,
			...(standing.runId !== null && { run_id: standing.runId }),
		};
		try {
			const to = step.to && encodeStanding(step.to);
			await sessions.append(sessionId, EVENTS_LOG, [event], {
				swap: { register, from, to },
				...(options.lease && { lease: options.lease }),
			});
			return "done";
		} catch (error) {
			if (!isBatonError(error, "conflict")) throw error;
		}
	}
}
