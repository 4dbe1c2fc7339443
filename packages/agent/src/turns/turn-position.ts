import type { Collection } from "@baton/session";
import { isRequestRegister } from "../requests";
import { EVENTS, type SessionValue } from "./session-value";

export interface TurnPosition {
	/** Every turn admitted up to here has ended. */
	settledSeq: number;
	/** Where the latest turn that is settled began. */
	latestTurnSeq: number;
	/** The first event that is kept. */
	first: number;
	last: number;
	/** Whether a request waits for its answer. */
	hasPending: boolean;
	/** Who drives the session now, and for how long that is still certain. */
	runner: { holder: string; token: number; remainingMs: number } | null;
}

/** Where a reader finds what. Only looks: a turn that nobody drives stays as it is. */
export async function readPosition(
	sessions: Collection<SessionValue>,
	sessionId: string,
	record?: SessionValue | Promise<SessionValue>,
): Promise<TurnPosition> {
	const [value, state] = await Promise.all([
		record ?? sessions.get(sessionId).then((found) => found?.value),
		sessions.state(sessionId, EVENTS),
	]);
	const { settledSeq = 0, latestTurnSeq = 0 } = value ?? {};
	const { first, last, lease: runner } = state;
	const hasPending = Object.keys(state.registers).some(isRequestRegister);
	return { settledSeq, latestTurnSeq, first, last, hasPending, runner };
}
