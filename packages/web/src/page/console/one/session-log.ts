import type { SessionDetails } from "@baton/protocol";
import { pause } from "../../link/pause";
import { ConsoleError, type EventsPage, getJson, getLines, type LogEvent } from "../console-api";
import type { LinkState } from "../live-sign";
import { EventPages, PAGE_SIZE } from "./event-pages";
import { Marks } from "./marks";
import { SeqLedger } from "./seq-ledger";

/** A log that is no longer than this is read as a whole. */
const READ_WHOLE = 2_000;
/** How often the page is drawn anew while events come. */
const DRAW_MS = 60;

export interface LogSnapshot {
	/** Grows with every change. */
	version: number;
	/** Which events there are. None: `first` is `last` and one. */
	first: number;
	last: number;
	link: LinkState;
	/** Set when the session cannot be read at all. */
	error: { status: number; message: string } | null;
	/** How far a check of the whole log has come; null when none runs. */
	checking: number | null;
}

/** One session's log in the page: the end of it at first, older events when they are wanted, then live. */
export class SessionLog {
	readonly events = new EventPages();
	readonly marks = new Marks();
	readonly ledger = new SeqLedger();
	readonly #path: string;
	readonly #listeners = new Set<() => void>();
	readonly #closed = new AbortController();
	readonly #loading = new Set<number>();
	#wanted: number[] = [];
	/** The last event that came, also when it is not drawn yet. */
	#last = 0;
	#drawTimer: ReturnType<typeof setTimeout> | undefined;
	#snapshot: LogSnapshot = {
		version: 0,
		first: 1,
		last: 0,
		link: "loading",
		error: null,
		checking: null,
	};

	constructor(sessionId: string) {
		this.#path = `/${sessionId}`;
	}

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	readonly getSnapshot = (): LogSnapshot => this.#snapshot;

	/** Reads the end, then stays. Ends with `close`, or when there is no such session. */
	async open(): Promise<void> {
		const { signal } = this.#closed;
		let isBegun = false;
		for (let attempt = 0; !signal.aborted; attempt++) {
			try {
				if (!isBegun) await this.#begin();
				isBegun = true;
				await this.#follow(() => {
					attempt = 0;
				});
			} catch (error) {
				if (signal.aborted) return;
				if (error instanceof ConsoleError && error.status < 500 && error.status !== 429) {
					const { status, message } = error;
					this.#set({ error: { status, message }, link: "lost" });
					return;
				}
			}
			if (signal.aborted) return;
			this.#set({ link: "lost" });
			await pause(attempt, signal).catch(() => {});
		}
	}

	close(): void {
		this.#closed.abort();
		clearTimeout(this.#drawTimer);
	}

	/** Sees that these pages are at hand soon. Others are wanted no more. */
	want(...ranges: (readonly [first: number, last: number])[]): void {
		const { first, last } = this.#snapshot;
		const wanted = new Set<number>();
		for (const [from, to] of ranges) {
			const end = Math.min(to, EventPages.of(last));
			for (let page = Math.max(from, EventPages.of(first)); page <= end; page++) {
				this.events.touch(page);
				wanted.add(page);
			}
		}
		this.#wanted = [...wanted];
		this.#loadWanted();
	}

	/** Reads every event of the log and counts, keeping none of them. */
	async checkAll(): Promise<void> {
		const { signal } = this.#closed;
		const { first, last, checking } = this.#snapshot;
		if (checking !== null) return;
		let before = first - 1;
		this.#set({ checking: 0 });
		try {
			for await (const { seq } of getLines<LogEvent>(`${this.#path}/export`, signal)) {
				if (seq === undefined) continue;
				this.ledger.receive(seq, before);
				before = Math.max(before, seq);
				if (seq % 5_000 === 0) this.#set({ checking: seq - first + 1 });
			}
			this.ledger.finish(before, last);
		} finally {
			this.#set({ checking: null });
		}
	}

	async #begin(): Promise<void> {
		const { first, last } = await getJson<SessionDetails>(this.#path, this.#closed.signal);
		this.#last = last;
		this.#set({ first });
		const isShort = last - first < READ_WHOLE;
		const from = isShort ? EventPages.of(first) : EventPages.of(last) - 1;
		for (let page = Math.max(EventPages.of(first), from); page <= EventPages.of(last); page++) {
			if (last >= first) await this.#load(page);
		}
		if (!isShort) void this.#readMarks(first, last);
	}

	/** What begins, stops and ends turns, of the whole log, so that a moment of it can be told. */
	async #readMarks(first: number, last: number): Promise<void> {
		for (let after = first - 1; after < last && !this.#closed.signal.aborted; ) {
			const query = `after=${after}&limit=1000&text=false`;
			try {
				const page = await getJson<EventsPage>(
					`${this.#path}/events?${query}`,
					this.#closed.signal,
				);
				this.marks.add(page.events);
				if (page.after <= after) return;
				after = page.after;
				this.#draw();
			} catch (error) {
				if (this.#closed.signal.aborted || error instanceof ConsoleError) return;
				await pause(1, this.#closed.signal).catch(() => {});
			}
		}
	}

	#rangeOf(page: number): [low: number, high: number] {
		const { first, last } = this.#snapshot;
		return [Math.max(first, page * PAGE_SIZE + 1), Math.min(last, (page + 1) * PAGE_SIZE)];
	}

	/** A page is loaded from its beginning on, and goes on live at its end. */
	#isHere(page: number): boolean {
		const [low, high] = this.#rangeOf(page);
		return this.events.get(low) !== undefined && this.events.get(high) !== undefined;
	}

	#loadWanted(): void {
		this.#wanted = this.#wanted.filter((page) => !this.#isHere(page));
		const next = this.#wanted.find((page) => !this.#loading.has(page));
		if (next === undefined || this.#loading.size >= 2) return;
		const { signal } = this.#closed;
		this.#load(next)
			.catch(() => pause(2, signal))
			.then(
				() => this.#loadWanted(),
				() => {
					// Closed meanwhile.
				},
			);
	}

	async #load(page: number): Promise<void> {
		this.#loading.add(page);
		try {
			const [low, high] = this.#rangeOf(page);
			let after = low - 1;
			while (after < high) {
				const query = `after=${after}&limit=${high - after}`;
				const slice = await getJson<EventsPage>(
					`${this.#path}/events?${query}`,
					this.#closed.signal,
				);
				if (slice.reset) return this.#set({ first: slice.first });
				for (const event of slice.events) {
					this.#keep(event, after);
					after = Math.max(after, event.seq);
				}
				if (slice.events.length === 0) break;
			}
			this.ledger.finish(after, high);
		} finally {
			this.#loading.delete(page);
			this.#draw();
		}
	}

	async #follow(onLine: () => void): Promise<void> {
		const path = `${this.#path}/events?follow=true&after=${this.#last}`;
		const opened = () => this.#set({ link: "live" });
		for await (const event of getLines<LogEvent>(path, this.#closed.signal, opened)) {
			onLine();
			if (event.type === "reset") {
				this.#reset(Number(event.first));
				continue;
			}
			if (event.type === "gone") throw new ConsoleError(404, "This session was deleted.");
			this.#keep(event, this.#last);
			this.#last = Math.max(this.#last, event.seq);
			this.#draw();
		}
	}

	/** The store has dropped, or lost, what was shown: it counts no longer. */
	#reset(first: number): void {
		this.events.clear();
		this.marks.clear();
		this.#last = first - 1;
		this.#set({ first });
	}

	#keep(event: LogEvent, before: number): void {
		this.ledger.receive(event.seq, before);
		this.events.set(event);
		this.marks.add([event]);
	}

	#set(change: Partial<LogSnapshot>): void {
		clearTimeout(this.#drawTimer);
		this.#drawTimer = undefined;
		const version = this.#snapshot.version + 1;
		this.#snapshot = { ...this.#snapshot, ...change, last: this.#last, version };
		for (const listener of this.#listeners) listener();
	}

	/** Draws soon, once for all that comes until then. */
	#draw(): void {
		this.#drawTimer ??= setTimeout(() => this.#set({}), DRAW_MS);
	}
}
