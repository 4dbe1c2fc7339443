import { type Collection, isBatonError } from "@baton/session";

/** The pages of an agent session, and when each was last heard of (Unix ms). */
export type PagesValue = { pages: { [pageId: string]: number } };

/** More than a person has tabs; past it the ones not heard of for longest are forgotten. */
const MAX_PAGES = 32;

/**
 * Whether a page is there to answer, for all processes on the store. A page counts for a while after
 * each sign of life, and a stream that ends cleanly takes its mark away at once.
 */
export class PagePresence {
	readonly #pages: Collection<PagesValue>;
	readonly #presenceMs: number;

	constructor(pages: Collection<PagesValue>, presenceMs: number) {
		this.#pages = pages;
		this.#presenceMs = presenceMs;
	}

	async mark(agentSessionId: string, pageId: string): Promise<void> {
		const now = Date.now();
		const change = ({ pages }: PagesValue) => ({
			pages: this.#recent({ ...pages, [pageId]: now }, now),
		});
		for (;;) {
			try {
				await this.#pages.update(agentSessionId, change);
				return;
			} catch (error) {
				if (!isBatonError(error, "not_found")) throw error;
			}
			try {
				const first = { pages: { [pageId]: now } };
				await this.#pages.create(agentSessionId, first, { ttlMs: this.#presenceMs });
				return;
			} catch (error) {
				if (!isBatonError(error, "already_exists")) throw error;
			}
		}
	}

	async unmark(agentSessionId: string, pageId: string): Promise<void> {
		const without = ({ pages }: PagesValue) => {
			const { [pageId]: _, ...others } = pages;
			return { pages: others };
		};
		await this.#pages.update(agentSessionId, without).catch((error: unknown) => {
			if (!isBatonError(error, "not_found")) throw error;
		});
	}

	async anyone(agentSessionId: string): Promise<boolean> {
		const record = await this.#pages.get(agentSessionId);
		return record !== null && Object.keys(this.#recent(record.value.pages, Date.now())).length > 0;
	}

	#recent(pages: PagesValue["pages"], now: number): PagesValue["pages"] {
		const alive = Object.entries(pages).filter(([, seen]) => now - seen < this.#presenceMs);
		const newest = alive.sort(([, a], [, b]) => b - a).slice(0, MAX_PAGES);
		return Object.fromEntries(newest);
	}
}
