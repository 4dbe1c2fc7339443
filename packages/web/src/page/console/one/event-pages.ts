import type { LogEvent } from "../console-api";

export const PAGE_SIZE = 200;
/** Pages that are kept: the ones used last. */
const KEPT = 80;

/** The events of a log that are at hand: pages, of which the least recently used are forgotten. */
export class EventPages {
	/** Least recently used first. */
	readonly #pages = new Map<number, LogEvent[]>();

	static of(seq: number): number {
		return Math.floor((seq - 1) / PAGE_SIZE);
	}

	get(seq: number): LogEvent | undefined {
		return this.#pages.get(EventPages.of(seq))?.[(seq - 1) % PAGE_SIZE];
	}

	set(event: LogEvent): void {
		const number = EventPages.of(event.seq);
		const page = this.#pages.get(number) ?? [];
		page[(event.seq - 1) % PAGE_SIZE] = event;
		this.#use(number, page);
	}

	/** Marks a page as used, if it is there. */
	touch(number: number): void {
		const page = this.#pages.get(number);
		if (page) this.#use(number, page);
	}

	clear(): void {
		this.#pages.clear();
	}

	#use(number: number, page: LogEvent[]): void {
		this.#pages.delete(number);
		this.#pages.set(number, page);
		if (this.#pages.size <= KEPT) return;
		const [oldest] = this.#pages.keys();
		if (oldest !== undefined) this.#pages.delete(oldest);
	}
}
