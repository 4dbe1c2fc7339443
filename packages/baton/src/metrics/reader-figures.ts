import type { Collection, FollowBatch } from "@baton/session";
import type { Makers } from "./makers";

/** Readers that a scrape asks the store about: those that have kept it waiting longest. */
const ASKED = 50;

/** As many entries as a follower gets at once while it catches up. */
const FULL_BATCH = 1_000;

const ANSWERED = '{"type":"request_answered"';

interface Reader {
	sessionId: string;
	cursor: number;
	/** Since when the reader has not come for more, or null while it waits for more to come. */
	busySince: number | null;
}

/** Who reads turns through the doors of this process, and how far they are behind. */
export class ReaderFigures {
	readonly #sessions: Pick<Collection, "state">;
	readonly #resumes;
	readonly #readers = new Set<Reader>();

	constructor(make: Makers, sessions: Pick<Collection, "state">) {
		this.#sessions = sessions;
		this.#resumes = make.counter(
			"baton_resumes_total",
			"cold: readers that came to a turn which was there before them. hot: answers to requests that reached a reader which had stayed.",
			["kind"],
		);
		this.#resumes.inc({ kind: "cold" }, 0);
		this.#resumes.inc({ kind: "hot" }, 0);
		make.gauge("baton_readers", "Readers of turns, through any door.", [], (gauge) =>
			gauge.set(this.#readers.size),
		);
		make.gauge(
			"baton_reader_lag_events",
			"Stored events that the slowest readers here have not taken yet: of all of them, and of the slowest.",
			["of"],
			async (gauge) => {
				const lags = await this.#lags();
				gauge.set(
					{ of: "all" },
					lags.reduce((sum, lag) => sum + lag, 0),
				);
				gauge.set({ of: "slowest" }, Math.max(0, ...lags));
			},
		);
	}

	/** A reader's batches, as they are. `cold`: what it reads was there before it. */
	async *read(
		sessionId: string,
		batches: AsyncIterable<FollowBatch>,
		{ after, cold }: { after: number; cold: boolean },
	): AsyncGenerator<FollowBatch, void, undefined> {
		const reader: Reader = { sessionId, cursor: after, busySince: null };
		this.#readers.add(reader);
		let live = !cold;
		let hasCome = false;
		try {
			for await (const batch of batches) {
				// Not before: a door may look ahead in two places and read on in one.
				if (cold && !hasCome) this.#resumes.inc({ kind: "cold" });
				hasCome = true;
				const { entries, reset } = batch;
				if (live) this.#countHot(entries);
				// What was stored before this reader came is no answer to it; it comes in full batches.
				live ||= entries.length < FULL_BATCH;
				reader.cursor = entries.at(-1)?.seq ?? (reset ? reset.first - 1 : reader.cursor);
				reader.busySince = performance.now();
				yield batch;
				reader.busySince = null;
			}
		} finally {
			this.#readers.delete(reader);
		}
	}

	#countHot(entries: FollowBatch["entries"]): void {
		for (const { json } of entries) {
			if (json.startsWith(ANSWERED)) this.#resumes.inc({ kind: "hot" });
		}
	}

	/** A reader that waits for more has everything; of the others, the store knows. */
	async #lags(): Promise<number[]> {
		const busy = [...this.#readers]
			.filter(({ busySince }) => busySince !== null)
			.sort((a, b) => (a.busySince ?? 0) - (b.busySince ?? 0))
			.slice(0, ASKED);
		return Promise.all(
			busy.map(async ({ sessionId, cursor }) => {
				const state = await this.#sessions.state(sessionId, "events").catch(() => null);
				return Math.max((state?.last ?? cursor) - cursor, 0);
			}),
		);
	}
}
