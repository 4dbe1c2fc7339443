import { setTimeout as sleep } from "node:timers/promises";

/** How long changes are gathered: a text that streams is one change, not a hundred. */
const GATHER_MS = 300;

/** Ids of what has changed since they were taken last. */
export class ChangedIds {
	readonly #ids: Set<string>;
	#wake: AbortController | null = null;

	constructor(ids: readonly string[]) {
		this.#ids = new Set(ids);
	}

	add(id: string): void {
		this.#ids.add(id);
		this.#wake?.abort();
	}

	take(): string[] {
		const ids = [...this.#ids];
		this.#ids.clear();
		return ids;
	}

	/** Resolves a moment after something has changed, and at the latest after `mostMs`. */
	async wait(mostMs: number, signal: AbortSignal): Promise<void> {
		if (this.#ids.size === 0) {
			this.#wake = new AbortController();
			await pause(mostMs, AbortSignal.any([this.#wake.signal, signal]));
			this.#wake = null;
		}
		if (this.#ids.size > 0) await pause(GATHER_MS, signal);
	}
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(Math.max(ms, 0), undefined, { signal }).catch(() => {});
}
