/**
 * What a client holds of a session that follows the protocol: it comes back from its cursor, and
 * forgets everything at a reset. What it should not have been sent is counted.
 */
export class ReaderView {
	#held = new Map();
	cursor = 0;
	repeated = 0;
	outOfOrder = 0;

	/** Returns false for a line that is not in the log. */
	take(line) {
		if (line.type === "reset") {
			this.#held.clear();
			this.cursor = line.first - 1;
			return false;
		}
		// A request that still waits is shown again to everyone who attaches, and says so.
		if (line.seq === undefined || line.repeated) return false;
		if (this.#held.has(line.seq)) this.repeated++;
		else if (line.seq <= this.cursor) this.outOfOrder++;
		this.#held.set(line.seq, line);
		this.cursor = Math.max(this.cursor, line.seq);
		return true;
	}

	/** Events of the run that this client does not hold as they are stored. */
	missing(events, runId) {
		return events.filter(({ seq, event }) => {
			if (runId !== undefined && event.run_id !== runId) return false;
			const line = this.#held.get(seq);
			return !line || !isSame(line, seq, event);
		}).length;
	}

	get lines() {
		return this.#held.values();
	}
}

function isSame(line, seq, event) {
	return JSON.stringify(sorted(line)) === JSON.stringify(sorted({ ...event, seq }));
}

function sorted(object) {
	return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}
