import type { Collection } from "@baton/session";
import type { OpenRuns } from "./open-runs";
import { EVENTS, type SessionValue } from "./session-value";
import type { TurnSettings } from "./turn-settings";

/** Events of ended turns before a runner with a full queue notes that they are settled. */
const ADVANCE_EVERY = 5_000;

/** What became of an attempt to settle: everything up to `last` has ended, or there is more to do. */
interface Settled {
	last: number;
	isSettled: boolean;
}

/** Notes up to where the turns of a session have ended, and drops events that are kept no longer. */
export class Settlement {
	readonly #settings: TurnSettings;
	readonly #sessions: Collection<SessionValue>;
	readonly #sessionId: string;

	constructor(settings: TurnSettings, sessionId: string) {
		this.#settings = settings;
		this.#sessions = settings.sessions;
		this.#sessionId = sessionId;
	}

	/** A queue that is never empty never settles: then what lies before it is noted now and then. */
	async advance(runs: OpenRuns, { settledSeq = 0 }: SessionValue, latest: number): Promise<void> {
		const ended = (runs.all[0]?.seq ?? 0) - 1;
		if (ended - settledSeq >= ADVANCE_EVERY) await this.#note(ended, latest);
	}

	/**
	 * Looks whether every turn has ended, and if so puts the alarm off to when the events are to be
	 * dropped. An input that comes between the two keeps the alarm that came with it.
	 */
	async settle(
		runs: OpenRuns,
		{ settledSeq, settledAt }: SessionValue,
		latest: number,
	): Promise<Settled> {
		const { first, last } = await this.#sessions.state(this.#sessionId, EVENTS);
		if (last !== runs.last || runs.all.length > 0) return { last, isSettled: false };
		const isNews = last !== settledSeq;
		const keepMs = isNews ? this.#settings.keepEventsMs : remainingMs(this.#settings, settledAt);
		// Nobody came for them in time. Who comes later gets the transcript.
		const isOver = keepMs <= 0;
		if (isOver && first <= last) await this.#sessions.trim(this.#sessionId, EVENTS, last + 1);
		const inMs = isOver ? null : keepMs;
		const isQuiet = await this.#sessions.postponeAlarm(this.#sessionId, EVENTS, last, inMs);
		if (isQuiet && isNews) await this.#note(last, latest);
		return { last, isSettled: isQuiet };
	}

	async #note(settledSeq: number, latestTurnSeq: number): Promise<void> {
		await this.#sessions.update(this.#sessionId, (value) =>
			settledValue(value, settledSeq, latestTurnSeq),
		);
		const keepFrom = Math.min(settledSeq - this.#settings.keepEvents, latestTurnSeq);
		if (keepFrom > 1) await this.#sessions.trim(this.#sessionId, EVENTS, keepFrom);
	}
}

/** Notes without the lease where everything has ended. A later runner may have noted more. */
export async function noteSettled(
	sessions: Collection<SessionValue>,
	sessionId: string,
	settledSeq: number,
	latestTurnSeq: number,
): Promise<void> {
	await sessions.update(sessionId, (value) =>
		(value.settledSeq ?? 0) < settledSeq ? settledValue(value, settledSeq, latestTurnSeq) : value,
	);
}

export function settledValue(
	value: SessionValue,
	settledSeq: number,
	latestTurnSeq: number,
): SessionValue {
	const now = Date.now();
	return { ...value, settledSeq, latestTurnSeq, settledAt: now, updatedAt: now };
}

/**
 * Puts off the alarm of a session in which there is nothing to do, without its lease. False: someone
 * has to drive it, or to drop its events.
 */
export async function putOff(settings: TurnSettings, sessionId: string): Promise<boolean> {
	const { sessions } = settings;
	const [record, { last, lease }] = await Promise.all([
		sessions.get(sessionId),
		sessions.state(sessionId, EVENTS),
	]);
	const keepMs = remainingMs(settings, record?.value.settledAt);
	if (!record || lease !== null || last !== record.value.settledSeq || keepMs <= 0) return false;
	return sessions.postponeAlarm(sessionId, EVENTS, last, keepMs);
}

/** How long events are still kept that settled then. */
function remainingMs({ keepEventsMs }: TurnSettings, settledAt = 0): number {
	return keepEventsMs - Math.max(Date.now() - settledAt, 0);
}
