import type { SessionRow } from "@baton/protocol";
import { pause } from "../../link/pause";
import { ConsoleError, getJson, getLines } from "../console-api";
import type { LinkState } from "../live-sign";
import { isFiltering, queryOf, type SessionFilter } from "./session-filter";

/** A view at first, then many. */
const FIRST_PAGE = 50;
const PAGE = 200;
/** More than anyone scrolls through; a search finds the rest. */
const MOST_ROWS = 20_000;

interface FoundPage {
	sessions: SessionRow[];
	cursor: string | null;
	looked: number;
}

type Change = ({ type: "session" } & SessionRow) | { type: "gone"; id: string };

export interface SessionsSnapshot {
	/** The newest first. */
	rows: readonly SessionRow[];
	/** Whether there are more to be loaded. */
	hasMore: boolean;
	isLoading: boolean;
	/** How many sessions were looked at, where not all of them fit. */
	looked: number;
	error: string | null;
	link: LinkState;
}

const EMPTY: SessionsSnapshot = {
	rows: [],
	hasMore: true,
	isLoading: true,
	looked: 0,
	error: null,
	link: "loading",
};

/** The sessions that fit a filter, loaded as they are needed, and live where they are in view. */
export class SessionsFeed {
	readonly #filter: SessionFilter;
	readonly #listeners = new Set<() => void>();
	readonly #closed = new AbortController();
	#watching = new AbortController();
	#snapshot = EMPTY;
	#cursor: string | undefined;
	#loading: Promise<void> | null = null;
	#wanted = 0;

	constructor(filter: SessionFilter) {
		this.#filter = filter;
	}

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	readonly getSnapshot = (): SessionsSnapshot => this.#snapshot;

	close(): void {
		this.#closed.abort();
		this.#watching.abort();
	}

	/** Loads until there are so many rows, or no more. */
	load(count: number): void {
		this.#wanted = Math.min(Math.max(count, this.#wanted), MOST_ROWS);
		this.#loading ??= this.#loadWanted().finally(() => {
			this.#loading = null;
		});
	}

	/** Keeps these rows as they are, from now on; earlier ones no longer. */
	watch(ids: readonly string[]): void {
		this.#watching.abort();
		this.#watching = new AbortController();
		void this.#follow(ids, AbortSignal.any([this.#watching.signal, this.#closed.signal]));
	}

	/** Nobody looks: nothing is kept up to date until the next `watch`. */
	rest(): void {
		this.#watching.abort();
	}

	async #loadWanted(): Promise<void> {
		const { signal } = this.#closed;
		this.#set({ isLoading: true });
		for (let attempt = 0; !signal.aborted; ) {
			const { rows, hasMore } = this.#snapshot;
			if (!hasMore || rows.length >= this.#wanted) break;
			try {
				await this.#loadPage(signal);
				attempt = 0;
			} catch (error) {
				if (signal.aborted) return;
				this.#set({ error: (error as Error).message });
				if (error instanceof ConsoleError && error.status < 500 && error.status !== 429) break;
				await pause(attempt++, signal).catch(() => {});
			}
		}
		this.#set({ isLoading: false });
	}

	async #loadPage(signal: AbortSignal): Promise<void> {
		const query = queryOf(this.#filter);
		query.set("details", "true");
		query.set("limit", `${this.#cursor === undefined ? FIRST_PAGE : PAGE}`);
		if (this.#cursor !== undefined) query.set("cursor", this.#cursor);
		const page = await getJson<FoundPage>(`?${query}`, signal);
		this.#cursor = page.cursor ?? undefined;
		const known = new Set(this.#snapshot.rows.map(({ id }) => id));
		this.#set({
			rows: [...this.#snapshot.rows, ...page.sessions.filter(({ id }) => !known.has(id))],
			hasMore: page.cursor !== null,
			looked: this.#snapshot.looked + page.looked,
			error: null,
		});
	}

	async #follow(ids: readonly string[], signal: AbortSignal): Promise<void> {
		const query = queryOf(this.#filter);
		query.set("watch", "true");
		query.set("since", `${this.#snapshot.rows[0]?.created_at ?? 0}`);
		for (const id of ids) query.append("id", id);
		for (let attempt = 0; !signal.aborted; attempt++) {
			try {
				const opened = () => this.#set({ link: "live" });
				for await (const change of getLines<Change>(`?${query}`, signal, opened)) {
					attempt = 0;
					this.#set(this.#changed(change));
				}
			} catch {
				// Tried again below.
			}
			if (signal.aborted) return;
			this.#set({ link: "lost" });
			await pause(attempt, signal).catch(() => {});
		}
	}

	#changed(change: Change): Partial<SessionsSnapshot> {
		const { rows } = this.#snapshot;
		const at = rows.findIndex(({ id }) => id === change.id);
		if (change.type === "gone") return at < 0 ? {} : { rows: rows.toSpliced(at, 1) };
		if (at >= 0) return { rows: rows.with(at, change) };
		const before = rows.findIndex(({ created_at: time }) => time <= change.created_at);
		// Older than all that are loaded: it comes with its page.
		if (before < 0 && this.#snapshot.hasMore && !isFiltering(this.#filter)) return {};
		return { rows: rows.toSpliced(before < 0 ? rows.length : before, 0, change) };
	}

	#set(change: Partial<SessionsSnapshot>): void {
		this.#snapshot = { ...this.#snapshot, ...change };
		for (const listener of this.#listeners) listener();
	}
}
