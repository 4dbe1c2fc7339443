import type { NewRecord, StoredRecord } from "../driver";
import type { RegisterSwap } from "../port";
import { swapFailed } from "../store-errors";

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

	/** The last seq that was assigned. */
	last(name: string): number {
		const { first, lines } = this.log(name);
		return first + lines.length - 1;
	}

	swap(swap: RegisterSwap): void {
		const found = this.registers.get(swap.register) ?? null;
		if (found !== swap.from) throw swapFailed(swap, found);
		if (swap.to === null) this.registers.delete(swap.register);
		else this.registers.set(swap.register, swap.to);
	}

	replace(json: string): void {
		const { version } = this.record;
		this.record = { ...this.record, json, version: version + 1, updatedAt: Date.now() };
	}
}
