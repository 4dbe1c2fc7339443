import type { LogEvent } from "../console-api";

/** What an event says about its turn, without its payload. */
export interface Mark {
	seq: number;
	type: string;
	runId: string | undefined;
	/** How a turn ended. */
	status: string | undefined;
	/** What was said, or asked for: the beginning of it. */
	words: string;
	/** Up to where something was taken back. */
	upTo: number | undefined;
	attempt: number | undefined;
	requestId: string | undefined;
	/** How the reader that brought an answer went on: hot or cold. */
	resume: string | undefined;
}

const MOST = 20_000;
const WORDS = 120;
const OF_TURN = new Set(["input_admitted", "init", "recovered", "request_answered", "result"]);

/** Everything of a log but its text, in order: what begins, pauses, stops and ends turns. */
export class Marks {
	#marks: Mark[] = [];

	get all(): readonly Mark[] {
		return this.#marks;
	}

	/** The latest that began, paused or ended a turn. */
	get lastOfTurn(): number {
		return this.#marks.findLast(({ type }) => OF_TURN.has(type))?.seq ?? 0;
	}

	/** Events may come in any order, and again. */
	add(events: readonly LogEvent[]): void {
		for (const event of events) {
			if (event.type === "message") continue;
			const at = this.indexAfter(event.seq);
			if (this.#marks[at - 1]?.seq === event.seq) continue;
			this.#marks.splice(at, 0, markOf(event));
			if (this.#marks.length > MOST) this.#marks.shift();
		}
	}

	clear(): void {
		this.#marks = [];
	}

	/** How many marks there are up to an event. */
	indexAfter(seq: number): number {
		let [low, high] = [0, this.#marks.length];
		if ((this.#marks[high - 1]?.seq ?? 0) <= seq) return high;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.#marks[middle]?.seq ?? 0) <= seq) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

function markOf(event: LogEvent): Mark {
	const text = (value: unknown) => (typeof value === "string" ? value : undefined);
	const number = (value: unknown) => (typeof value === "number" ? value : undefined);
	return {
		seq: event.seq,
		type: event.type,
		runId: text(event.run_id),
		status: text(event.status),
		words: (text(event.content) ?? text(event.reason) ?? "").slice(0, WORDS),
		upTo: number(event.up_to),
		attempt: number(event.attempt),
		requestId: text(event.requestId),
		resume: text(event.resume),
	};
}
