/** One line of the fake's log, or an instruction to it. */
export type FakeStep =
	| (Record<string, unknown> & { type: string }) // an event; a request waits for its answer
	| { raw: string } // text as it is, to be no event
	| { wait: Promise<unknown> | number } // until something happens, or for some ms
	| { cut: true }; // every connection to the turn breaks, and the turn goes on

type Event = Record<string, unknown> & { type: string };

/** Where to follow a log from, and which turn of it; none: every turn, until nothing runs. */
export interface FakePlace {
	after: number;
	ofRun?: string | undefined;
}

/**
 * One conversation of the fake agent API: an append-only log, followed by any number of readers. With
 * numbers it behaves as Baton's does; without, as the plain kind that simply ends.
 */
export class FakeSession {
	readonly id: string;
	readonly log: (Event | { raw: string })[] = [];
	readonly #numbered: boolean;
	readonly #pending = new Map<string, Event>();
	readonly #answers = new Map<string, Record<string, unknown>>();
	readonly #wakeUps = new Set<() => void>();
	readonly cutters = new Set<() => void>();
	#queue: string[] = [];
	#last: Promise<void> = Promise.resolve();
	#aborted = false;
	turnStart = 0;

	constructor(id: string, numbered: boolean) {
		this.id = id;
		this.#numbered = numbered;
	}

	/** Whether a turn runs or waits; with an id, whether that one does. */
	isRunning(runId?: string): boolean {
		return runId === undefined ? this.#queue.length > 0 : this.#queue.includes(runId);
	}

	get pending(): Event[] {
		return [...this.#pending.values()];
	}

	append(event: Event): void {
		const seq = this.log.length + 1;
		this.log.push(this.#numbered ? { ...event, seq } : event);
		this.#wake();
	}

	/** The answer to a request, the first time. */
	answer(requestId: string, response: Record<string, unknown>): boolean {
		if (!this.#pending.delete(requestId)) return false;
		this.#answers.set(requestId, response);
		if (this.#numbered) this.append({ type: "request_answered", requestId, response });
		this.#wake();
		return true;
	}

	abort(): void {
		this.#aborted = this.isRunning();
		this.#wake();
	}

	/** Runs a turn when those before it are over. */
	enqueue(steps: Iterable<FakeStep> | AsyncIterable<FakeStep>, runId: string): void {
		this.#queue.push(runId);
		this.#last = this.#last.then(() => this.#run(steps, runId).catch(() => {}));
	}

	async #run(steps: Iterable<FakeStep> | AsyncIterable<FakeStep>, runId: string): Promise<void> {
		this.turnStart = this.log.length;
		const mark = this.#numbered ? { run_id: runId } : {};
		for await (const step of steps) {
			if (this.#aborted) break;
			if ("raw" in step) this.log.push(step as { raw: string });
			else if ("cut" in step) for (const cut of this.cutters) cut();
			else if ("wait" in step) await this.#waitFor(step.wait as Promise<unknown> | number);
			else await this.#do({ ...(step as Event), ...mark });
			this.#wake();
		}
		if (this.#aborted) this.append({ type: "result", status: "aborted", ...mark });
		this.#aborted = false;
		this.#pending.clear();
		this.#queue.shift();
		this.#wake();
	}

	/** Lines from a place on, as they come, until what is followed is over. */
	async *follow({ after, ofRun }: FakePlace, isGone: () => boolean): AsyncGenerator<string> {
		let at = after;
		for (;;) {
			for (; at < this.log.length; at++) {
				const entry = this.log[at]!;
				const isOther = this.#numbered && "run_id" in entry && entry.run_id !== ofRun;
				if (ofRun === undefined || !isOther) yield lineOf(entry);
			}
			if (!this.isRunning(ofRun) || isGone()) return;
			await this.#change();
		}
	}

	async #do(event: Event): Promise<void> {
		const { requestId } = event;
		const isRequest = event.type.endsWith("_request") && typeof requestId === "string";
		if (isRequest) this.#pending.set(requestId, { ...event, seq: this.log.length + 1 });
		this.append(event);
		if (!isRequest || event.parallel) return;
		while (this.#pending.size > 0 && !this.#aborted) await this.#change();
	}

	async #waitFor(what: Promise<unknown> | number): Promise<void> {
		if (typeof what !== "number") return void (await what);
		await new Promise((resolve) => setTimeout(resolve, what));
	}

	#change(): Promise<void> {
		return new Promise((resolve) => this.#wakeUps.add(resolve));
	}

	#wake(): void {
		const waiting = [...this.#wakeUps];
		this.#wakeUps.clear();
		for (const resolve of waiting) resolve();
	}
}

function lineOf(entry: Event | { raw: string }): string {
	return "raw" in entry ? String(entry.raw) : `${JSON.stringify(entry)}\n`;
}
