/*
 * What this browser knows of the calls of a chat, so that a call runs once through replays, reloads and
 * several tabs. How far a call has come is known to all tabs; its output, which has what the person
 * wrote into the form, to its own tab alone.
 */

export interface Entry {
	/** `claiming`: not begun. `running`: it may have had effects. `done`: it has an output. */
	state: "claiming" | "running" | "done";
	/** Under which the server was asked, the same through reloads. */
	claimId: string;
	at: number;
}

const KEPT_MS = 60 * 60_000;
const KEPT = 100;
const PREFIX = "browser-tool:";

export class CallLedger {
	readonly #prefix: string;
	readonly #entries: Shelf<Entry>;
	readonly #outputs: Shelf<{ at: number; output: unknown }>;

	constructor(chatId: string) {
		this.#prefix = `${PREFIX}${chatId}:`;
		this.#entries = new Shelf(() => localStorage);
		this.#outputs = new Shelf(() => sessionStorage);
	}

	/** Runs `work` while no other tab, and no other call of it here, holds the same call. */
	async hold<T>(toolCallId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		// Pages without a secure origin have no locks; they are one tab to themselves.
		if (!globalThis.navigator?.locks) return work();
		return navigator.locks.request(this.#prefix + toolCallId, { signal }, work);
	}

	read(toolCallId: string): Entry | undefined {
		return this.#entries.get(this.#prefix + toolCallId);
	}

	write(toolCallId: string, entry: Omit<Entry, "at">): void {
		this.#entries.set(this.#prefix + toolCallId, { ...entry, at: Date.now() });
	}

	remove(toolCallId: string): void {
		this.#entries.remove(this.#prefix + toolCallId);
	}

	/** The output of a call that ran in this tab, to be told again when telling it was lost. */
	readOutput(toolCallId: string): unknown {
		return this.#outputs.get(this.#prefix + toolCallId)?.output;
	}

	writeOutput(toolCallId: string, output: unknown): void {
		this.#outputs.set(this.#prefix + toolCallId, { at: Date.now(), output });
	}
}

/** A storage of the browser, or memory where the browser gives none. Old entries go. */
class Shelf<T extends { at: number }> {
	readonly #open: () => Storage;
	readonly #memory = new Map<string, T>();

	constructor(open: () => Storage) {
		this.#open = open;
	}

	get(key: string): T | undefined {
		return this.#try((storage) => parse<T>(storage.getItem(key))) ?? this.#memory.get(key);
	}

	set(key: string, value: T): void {
		this.#memory.set(key, value);
		this.#try((storage) => {
			dropOld(storage);
			storage.setItem(key, JSON.stringify(value));
		});
	}

	remove(key: string): void {
		this.#memory.delete(key);
		this.#try((storage) => storage.removeItem(key));
	}

	/** Storage may be forbidden or full; the page then has what is in memory. */
	#try<R>(use: (storage: Storage) => R): R | undefined {
		try {
			return use(this.#open());
		} catch {
			return undefined;
		}
	}
}

function parse<T>(json: string | null): T | undefined {
	return json === null ? undefined : (JSON.parse(json) as T);
}

function dropOld(storage: Storage): void {
	const own = Object.keys(storage).filter((key) => key.startsWith(PREFIX));
	if (own.length === 0) return;
	const aged = own.map((key) => ({ key, at: ageOf(storage, key) })).sort((a, b) => b.at - a.at);
	for (const [index, { key, at }] of aged.entries()) {
		if (index >= KEPT || Date.now() - at > KEPT_MS) storage.removeItem(key);
	}
}

function ageOf(storage: Storage, key: string): number {
	try {
		return Number(parse<{ at: number }>(storage.getItem(key))?.at ?? 0);
	} catch {
		return 0;
	}
}
