import { readFile } from "node:fs/promises";
import { AppendFile } from "./append-file";
import { orNull } from "./file-errors";
import type { FilesContext } from "./files-context";
import { decodeEntry, encodeEntry, type JournalEntry } from "./journal-entry";
import { NEWLINE } from "./log-lines";
import { replaceFile } from "./replace-file";

/** Lines that the journal may hold beyond twice what is needed before it is written anew. */
const SLACK_LINES = 1_000;

interface StoredResult {
	digest: string;
	first: number;
	last: number;
}

/**
 * A session's counters, registers, idempotency results and fencing token: in memory, and as an
 * append-only file that brings them back. Calls that write come one at a time.
 */
export class Journal {
	readonly counters = new Map<string, number>();
	readonly registers = new Map<string, string>();
	readonly results = new Map<string, StoredResult>();
	token = 0;
	readonly #context: FilesContext;
	readonly #path: string;
	#file: AppendFile;
	#lines = 0;
	/** Where the last line begins, while it may still be withdrawn. */
	#lastStart = 0;

	private constructor(context: FilesContext, path: string) {
		this.#context = context;
		this.#path = path;
		this.#file = new AppendFile(context, path, 0);
	}

	static create(context: FilesContext, id: string): Journal {
		return new Journal(context, context.paths.journal(id));
	}

	/** `lastOf` says how far a log reaches: what was to go with events that never came is dropped. */
	static async load(
		context: FilesContext,
		id: string,
		lastOf: (log: string) => Promise<number>,
	): Promise<Journal> {
		const path = context.paths.journal(id);
		const journal = new Journal(context, path);
		const bytes = await orNull(readFile(path));
		if (bytes === null) return journal;
		journal.#file = new AppendFile(context, path, bytes.length);
		let [bad, dropped, good] = [0, 0, 0];
		for (let start = 0; start < bytes.length; ) {
			const newline = bytes.indexOf(NEWLINE, start);
			if (newline < 0) break;
			journal.#lines++;
			const entry = decodeEntry(bytes.toString("utf8", start, newline));
			start = newline + 1;
			if (!entry) bad++;
			else if (entry.log && entry.last && (await lastOf(entry.log)) < entry.last) dropped++;
			else {
				journal.#apply(entry);
				// A line left out before one that counts cannot be cut off.
				if (bad + dropped === 0) good = start;
				else good = -1;
			}
		}
		if (bad > 0) {
			context.report({ kind: "bad-journal", path, detail: `${bad} lines that cannot be read` });
		}
		if (good < 0) await journal.#rewrite();
		else if (good < bytes.length) await journal.#file.cut(good);
		await journal.tidy();
		return journal;
	}

	/** Stores a change that stands on its own. */
	async record(entry: JournalEntry): Promise<void> {
		await this.prepare(entry);
		this.commit(entry);
		await this.tidy();
	}

	/** Writes an entry that goes with events; `commit` follows when they are stored, else `withdraw`. */
	async prepare(entry: JournalEntry): Promise<void> {
		const start = this.#file.length;
		await this.#file.write(Buffer.from(encodeEntry(entry)));
		this.#lastStart = start;
	}

	commit(entry: JournalEntry): void {
		this.#lines++;
		this.#apply(entry);
	}

	/** Takes the last entry back. Where that fails, `settle` keeps later events from making it count. */
	async withdraw(): Promise<void> {
		await this.#file.cut(this.#lastStart).catch(() => {});
	}

	async settle(): Promise<void> {
		await this.#file.settle();
	}

	/** Writes the file anew when it holds much that no longer counts; when that fails, later. */
	async tidy(): Promise<void> {
		const needed = this.counters.size + this.registers.size + this.results.size + 1;
		if (this.#lines > 2 * needed + SLACK_LINES) await this.#rewrite().catch(() => {});
	}

	#apply({ first, last, once, register, counter, token }: JournalEntry): void {
		if (once && first && last) this.results.set(once.key, { digest: once.digest, first, last });
		if (register?.value === null) this.registers.delete(register.name);
		else if (register) this.registers.set(register.name, register.value);
		if (counter) this.counters.set(counter.name, counter.value);
		if (token) this.token = Math.max(this.token, token);
	}

	async #rewrite(): Promise<void> {
		const entries = [...this.#entries()];
		const text = entries.map(encodeEntry).join("");
		const { sync, handles } = this.#context;
		await replaceFile(this.#context, this.#path, text, sync.mode !== "never");
		handles.retire(this.#path);
		this.#file = new AppendFile(this.#context, this.#path, Buffer.byteLength(text));
		this.#lines = entries.length;
	}

	*#entries(): Iterable<JournalEntry> {
		if (this.token > 0) yield { token: this.token };
		for (const [name, value] of this.counters) yield { counter: { name, value } };
		for (const [name, value] of this.registers) yield { register: { name, value } };
		for (const [key, { digest, first, last }] of this.results) {
			yield { first, last, once: { key, digest } };
		}
	}
}
