import type { NewRecord, StoredRecord } from "../driver";

/** One session, whole. Text in, text out, so nothing is shared with the caller. */
export class MemorySession {
	readonly id: string;
	record: StoredRecord;
	readonly logs = new Map<string, { first: number; lines: string[] }>();
	readonly counters = new Map<string, number>();
	readonly registers = new Map<string, string>();
	readonly results = new Map<string, { digest: string; first: number; last: number }>();
	token = 0;
	#expiresAt = Number.POSITIVE_INFINITY;

	constructor(id: string, record: NewRecord) {
		this.id = id;
		this.record = { ...record, id, version: 1, updatedAt: record.createdAt };
		this.touch();
	}

	get expired(): boolean {
		return performance.now() >= this.#expiresAt;
	}

	/** Every write renews the time to live (I7). */
	touch(): void {
		if (this.record.ttlMs !== null) this.#expiresAt = performance.now() + this.record.ttlMs;
	}

	log(name: string): { first: number; lines: string[] } {
		let log = this.logs.get(name);
		if (!log) {
			log = { first: 1, lines: [] };
			this.logs.set(name, log);
		}
		return log;
	}
}
