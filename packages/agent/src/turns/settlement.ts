import type { Collection } from "@baton/session";
import type { OpenRuns } from "./open-runs";
import { EVENTS, type SessionValue } from "./session-value";
import type { SettleGate } from "./settle-gate";
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
	readonly #gate: SettleGate;

	constructor(settings: TurnSettings, sessionId: string, gate: SettleGate) {
		this.#settings = settings;
		this.#sessions = settings.sessions;
		this.#sessionId = sessionId;
		this.#gate = gate;
	}

	/** A queue that is never empty never settles: then what lies before it is noted now and then. */
	async advance(runs: OpenRuns, { settledSeq = 0 }: SessionValue, latest: number): Promise<void> {
		const ended = (runs.all[0]?.seq ?? 0) - 1;
		if (ended - settledSeq >= ADVANCE_EVERY) await this.#note(ended, latest);
	}

	/**
	 * Looks whether every turn has ended, and if so moves the alarm to when the events are to be
	 * dropped. No input of this process comes between the look and the alarm. One of another process
	 * may: this runner looks once more when it has let go of the lease, and should it die before that,
	 * the sender looks.
	 */
	settle(runs: OpenRuns, { settledSeq, settledAt }: SessionValue, latest: number) {
		return this.#gate.settle(this.#sessionId, async (): Promise<Settled> => {
			const { first, last } = await this.#sessions.state(this.#sessionId, EVENTS);
			if (last !== runs.last || runs.all.length > 0) return { last, isSettled: false };
			const isNews = last !== settledSeq;
			const keptFor = isNews ? 0 : Math.max(Date.now() - (settledAt ?? 0), 0);
			const keepMs = this.#settings.keepEventsMs - keptFor;
			if (keepMs > 0) await this.#sessions.setAlarm(this.#sessionId, keepMs);
			if (isNews) await this.#note(last, latest);
			if (keepMs <= 0) await this.#drop(first, last);
			return { last, isSettled: true };
		});
	}

	/** Nobody came for them in time. Who comes later gets the transcript. */
	async #drop(first: number, last: number): Promise<void> {
		if (first <= last) await this.#sessions.trim(this.#sessionId, EVENTS, last + 1);
		await this.#sessions.clearAlarm(this.#sessionId);
	}

	async #note(settledSeq: number, latestTurnSeq: number): Promise<void> {
		const now = Date.now();
		await this.#sessions.update(this.#sessionId, (value) => ({
			...value,
			settledSeq,
			latestTurnSeq,
			settledAt: now,
			updatedAt: now,
		}));
		const keepFrom = Math.min(settledSeq - this.#settings.keepEvents, latestTurnSeq);
		if (keepFrom > 1) await this.#sessions.trim(this.#sessionId, EVENTS, keepFrom);
	}
}
