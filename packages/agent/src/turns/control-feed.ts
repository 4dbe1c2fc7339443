import type { Collection } from "@baton/session";
import { isText, type OpenRuns, TEXT } from "./open-runs";
import { EVENTS, type SessionValue } from "./session-value";

/**
 * Follows the log for the runner, so that an input, an abort or an answer reaches it from whichever
 * process stored it. It feeds the open runs, and tells of every abort.
 */
export class ControlFeed {
	readonly #controller = new AbortController();
	readonly #failed = new AbortController();
	readonly #waiters = new Set<{ seq: number; done: () => void }>();
	readonly #runs: OpenRuns;
	readonly #done: Promise<void>;
	#failure: unknown;
	#ended = false;
	onAbort: (() => void) | null = null;

	constructor(sessions: Collection<SessionValue>, sessionId: string, runs: OpenRuns) {
		this.#runs = runs;
		this.#done = this.#follow(sessions, sessionId).then(
			() => this.#end(),
			(error) => {
				this.#failure = error;
				this.#end();
				this.#failed.abort(error);
			},
		);
	}

	/** Aborted when the log cannot be followed any more: a runner that hears nothing must not go on. */
	get failed(): AbortSignal {
		return this.#failed.signal;
	}

	/** Resolves when every entry up to `seq` was fed, or the feed has ended. */
	async reached(seq: number): Promise<void> {
		if (this.#runs.last < seq && !this.#ended) {
			await new Promise<void>((done) => this.#waiters.add({ seq, done }));
		}
		if (this.#failure) throw this.#failure;
	}

	async stop(): Promise<void> {
		// With a reason, since without one an exception is made for nobody.
		this.#controller.abort("stopped");
		await this.#done;
	}

	async #follow(sessions: Collection<SessionValue>, sessionId: string): Promise<void> {
		const { signal } = this.#controller;
		const options = { after: this.#runs.last, signal, fresh: true, omit: TEXT };
		for await (const { entries, reset } of sessions.follow(sessionId, EVENTS, options)) {
			if (reset) throw new Error(`The log of session "${sessionId}" was reset: ${reset.reason}.`);
			for (const entry of entries) {
				// The runner wrote it itself, so it need not be read back.
				if (isText(entry)) this.#runs.skip(entry.seq);
				else if (this.#runs.feed(entry).type === "abort_requested") this.onAbort?.();
			}
			for (const waiter of this.#waiters) {
				if (waiter.seq <= this.#runs.last) this.#release(waiter);
			}
		}
	}

	#end(): void {
		this.#ended = true;
		for (const waiter of this.#waiters) this.#release(waiter);
	}

	#release(waiter: { seq: number; done: () => void }): void {
		this.#waiters.delete(waiter);
		waiter.done();
	}
}
