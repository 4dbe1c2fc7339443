import type { AppendConditions, StoredAppend } from "../driver";
import { nextToken } from "../local/leases";
import { keyReused, movedOn, swapFailed } from "../store-errors";
import type { FilesContext } from "./files-context";
import { Journal } from "./journal";
import type { JournalEntry } from "./journal-entry";
import { LineLog } from "./line-log";
import type { IndexEntry } from "./session-index";

/** What an append has to do before it writes. */
interface AroundAppend {
	/** Throws when the lease of the append is not current; called right before the write too. */
	checkLease: () => void;
	/** Runs when every condition holds, before the events are stored. */
	first: () => Promise<void>;
}

const ALONE: AroundAppend = { checkLease: () => {}, first: async () => {} };

/** A session whose journal is loaded and whose logs are opened when asked for. */
export class FilesSession {
	readonly #context: FilesContext;
	readonly #entry: IndexEntry;
	readonly #logs = new Map<string, LineLog>();
	#journal: Journal;

	private constructor(context: FilesContext, entry: IndexEntry) {
		this.#context = context;
		this.#entry = entry;
		this.#journal = Journal.create(context, entry.id);
	}

	static async load(context: FilesContext, entry: IndexEntry): Promise<FilesSession> {
		const session = new FilesSession(context, entry);
		const lastOf = async (log: string) => (await session.log(log)).last;
		if (entry.hasJournal) session.#journal = await Journal.load(context, entry.id, lastOf);
		return session;
	}

	get registers(): Readonly<Record<string, string>> {
		return Object.fromEntries(this.#journal.registers);
	}

	/** Opened already, hence safe to read without waiting for writers. */
	openedLog(name: string): LineLog | undefined {
		return this.#logs.get(name);
	}

	async log(name: string): Promise<LineLog> {
		const opened = this.#logs.get(name);
		if (opened) return opened;
		const { id, logs } = this.#entry;
		const first = logs.get(name);
		const log =
			first === undefined
				? LineLog.create(this.#context, id, name)
				: await LineLog.open(this.#context, id, name, first);
		this.#logs.set(name, log);
		return log;
	}

	async increment(counter: string): Promise<number> {
		const value = (this.#journal.counters.get(counter) ?? 0) + 1;
		this.#entry.hasJournal = true;
		await this.#journal.record({ counter: { name: counter, value } });
		return value;
	}

	async nextToken(): Promise<number> {
		const token = nextToken(this.#journal.token);
		this.#entry.hasJournal = true;
		await this.#journal.record({ token });
		return token;
	}

	async trim(name: string, firstKept: number): Promise<void> {
		const log = await this.log(name);
		if (await log.trim(firstKept)) this.#entry.logs.set(name, log.first);
	}

	hasResult(key: string): boolean {
		return this.#journal.results.has(key);
	}

	async append(
		name: string,
		lines: readonly string[],
		{ once, swap, ifLast }: AppendConditions,
		{ checkLease, first: before }: AroundAppend = ALONE,
	): Promise<StoredAppend> {
		const journal = this.#journal;
		const earlier = once && journal.results.get(once.key);
		if (once && earlier) {
			if (earlier.digest !== once.digest) throw keyReused(once.key);
			return { first: earlier.first, last: earlier.last, repeated: true };
		}
		checkLease();
		if (swap) {
			const found = journal.registers.get(swap.register) ?? null;
			if (found !== swap.from) throw swapFailed(swap, found);
		}
		const log = await this.log(name);
		if (ifLast !== undefined && log.last !== ifLast) throw movedOn(name, ifLast, log.last);
		const first = log.last + 1;
		const last = log.last + lines.length;
		await before();
		await journal.settle();
		if (!once && !swap) {
			checkLease();
			await log.append(lines);
		} else {
			const entry: JournalEntry = { log: name, first, last };
			if (once) entry.once = once;
			if (swap) entry.register = { name: swap.register, value: swap.to };
			this.#entry.hasJournal = true;
			await journal.prepare(entry);
			try {
				checkLease();
				await log.append(lines);
			} catch (error) {
				await journal.withdraw();
				throw error;
			}
			journal.commit(entry);
			await journal.tidy();
		}
		this.#entry.logs.set(name, log.first);
		return { first, last, repeated: false };
	}
}
