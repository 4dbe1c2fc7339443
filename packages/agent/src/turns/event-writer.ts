import { type Collection, isBatonError, type Json, type Lease } from "@baton/session";
import type { OwnWrites } from "./own-writes";
import { EVENTS, type SessionValue } from "./session-value";

/** Events of one append. Only an agent that is faster than the store ever fills it. */
const BATCH = 2_048;
/** Events that wait at the most before the agent is made to wait, until so many are left again. */
const HIGH_WATER = 4_096;
const LOW_WATER = 2_048;

/** The same in characters of JSON, as far as they can be told without writing it. */
const BATCH_CHARACTERS = 4_000_000;
const HIGH_WATER_CHARACTERS = 8_000_000;
/** After this many events an agent that never waits by itself lets the rest of the process run. */
const BREATH = 512;

/** Made once: every turn ends, and where it did is of no interest. */
const ENDED = new Error("The turn has ended.");

/**
 * Stores a run's events under its lease. While one batch is on its way the next one gathers, so a
 * lone event goes at once and a flood goes in few appends.
 */
export class EventWriter {
	readonly #sessions: Collection<SessionValue>;
	readonly #lease: Lease;
	readonly #own: OwnWrites;
	#waiting: Json[] = [];
	#characters = 0;
	#flushing: Promise<void> | null = null;
	#room: { promise: Promise<void>; made: () => void } | null = null;
	#failure: unknown;
	#taken = 0;
	#lastSeq = 0;

	constructor(sessions: Collection<SessionValue>, lease: Lease, own: OwnWrites) {
		this.#sessions = sessions;
		this.#lease = lease;
		this.#own = own;
	}

	/** The seq of the last event that was stored here. */
	get lastSeq(): number {
		return this.#lastSeq;
	}

	/**
	 * True when nothing more can be written here: the lease was lost, or the store is away for now.
	 * Neither is the turn's fault, so it is for the next runner to go on with.
	 */
	get lost(): boolean {
		const failure = this.#failure;
		return isBatonError(failure) && (failure.code === "lease_lost" || failure.retryable);
	}

	/**
	 * Takes an event. Await what it returns: it holds back a writer that is faster than the store, and
	 * lets the first event, and now and then everybody else, have their turn.
	 */
	write(event: Json): Promise<void> | undefined {
		if (this.#failure) throw this.#failure;
		this.#waiting.push(event);
		this.#characters += estimate(event);
		this.#flushing ??= this.#flush();
		this.#taken += 1;
		if (this.#taken === 1) return this.#flushing;
		if (this.#waiting.length >= HIGH_WATER || this.#characters >= HIGH_WATER_CHARACTERS) {
			this.#room ??= createRoom();
			return this.#room.promise;
		}
		// The first word goes out to its readers before the next ones keep this process busy.
		const isBreath = this.#taken === 2 || this.#taken % BREATH === 0;
		return isBreath ? nextTurnOfTheLoop() : undefined;
	}

	/** Resolves when everything taken so far is stored. */
	async drain(): Promise<void> {
		while (this.#flushing) await this.#flushing;
		if (this.#failure) throw this.#failure;
	}

	/** Nothing is taken from now on; what was taken is stored. */
	close(): void {
		this.#failure ??= ENDED;
	}

	#nextBatch(): Json[] {
		const waiting = this.#waiting;
		if (waiting.length <= BATCH && this.#characters <= BATCH_CHARACTERS) {
			this.#waiting = [];
			this.#characters = 0;
			return waiting;
		}
		let count = 0;
		let characters = 0;
		for (; count < Math.min(BATCH, waiting.length); count++) {
			const size = estimate(waiting[count] as Json);
			if (count > 0 && characters + size > BATCH_CHARACTERS) break;
			characters += size;
		}
		this.#characters -= characters;
		return waiting.splice(0, count);
	}

	/** The agent may go on while the store has its work. */
	#makeRoom(): void {
		if (this.#waiting.length > LOW_WATER || this.#characters > HIGH_WATER_CHARACTERS / 2) return;
		this.#room?.made();
		this.#room = null;
	}

	async #flush(): Promise<void> {
		// What is written in the same moment goes in the same batch.
		await Promise.resolve();
		try {
			while (this.#waiting.length > 0) {
				const batch = this.#nextBatch();
				const appending = this.#sessions.append(this.#lease.id, EVENTS, batch, {
					lease: this.#lease,
				});
				this.#makeRoom();
				const appended = await appending;
				this.#own.note(appended);
				this.#lastSeq = appended.last;
			}
		} catch (error) {
			this.#failure = error;
			this.#waiting = [];
			this.#characters = 0;
		} finally {
			this.#flushing = null;
			this.#makeRoom();
		}
	}
}

function createRoom(): { promise: Promise<void>; made: () => void } {
	let made = () => {};
	const promise = new Promise<void>((resolve) => {
		made = resolve;
	});
	return { promise, made };
}

function nextTurnOfTheLoop(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/** Text is measured by its length; anything else is rare enough to be written out. */
function estimate(event: Json): number {
	const { type, content } = event as { type?: Json; content?: Json };
	if (type === "message" && typeof content === "string") return content.length + 150;
	return JSON.stringify(event)?.length ?? 0;
}
