import type { LogEntry } from "@baton/session";
import type { Makers } from "./makers";

/** How the end of a request is written in a log. */
const ENDS = ['{"type":"request_answered"', '{"type":"request_closed"'];

/** Reasons that are counted by their name; an unknown one must not make a series of its own. */
const REASONS = new Set(["answered", "recovered", "expired", "aborted", "superseded", "ended"]);

/** What agents ask of pages. */
export class RequestFigures {
	readonly #opened;
	readonly #ended;
	/** Requests that were opened here, until their end is seen, whichever process wrote it. */
	readonly #open = new Map<string, Set<string>>();

	constructor(make: Makers) {
		this.#opened = make.counter("baton_requests_opened_total", "Requests that agents here made.");
		this.#ended = make.counter(
			"baton_requests_ended_total",
			"Requests whose end was written here, by how they ended.",
			["how"],
		);
		make.gauge("baton_requests_open", "Requests that agents here wait for.", [], (gauge) => {
			let open = 0;
			for (const ids of this.#open.values()) open += ids.size;
			gauge.set(open);
		});
	}

	opened(sessionId: string, requestId: string): void {
		this.#opened.inc();
		const ids = this.#open.get(sessionId);
		if (ids) ids.add(requestId);
		else this.#open.set(sessionId, new Set([requestId]));
	}

	ended(sessionId: string, requestId: string, how: string): void {
		this.#ended.inc({ how: REASONS.has(how) ? how : "other" });
		this.#forget(sessionId, requestId);
	}

	/** Events that a follower in this process gets: an answer may have been stored by another. */
	saw(sessionId: string, entries: readonly LogEntry[]): void {
		if (!this.#open.has(sessionId)) return;
		for (const entry of entries) {
			if (!ENDS.some((start) => entry.json.startsWith(start))) continue;
			this.#forget(sessionId, String((entry.event as { requestId?: string }).requestId));
		}
	}

	released(sessionId: string): void {
		this.#open.delete(sessionId);
	}

	#forget(sessionId: string, requestId: string): void {
		const ids = this.#open.get(sessionId);
		if (ids?.delete(requestId) && ids.size === 0) this.#open.delete(sessionId);
	}
}
