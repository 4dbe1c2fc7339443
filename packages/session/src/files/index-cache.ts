import { readFile, unlink } from "node:fs/promises";
import { z } from "zod";
import { SerialQueues } from "../serial-queues";
import { AppendFile } from "./append-file";
import { orNull } from "./file-errors";
import type { FilesContext } from "./files-context";
import { replaceFile } from "./replace-file";
import type { IndexEntry } from "./session-index";

const FORMAT = 1;
const SLACK_LINES = 10_000;

/**
 * Lines of the file: a session as it is (`createdAt` and so on), a session whose meta file has to be
 * looked at (its id alone), and the marks of a start and of a clean end.
 */
const line = z.union([
	z.strictObject({
		id: z.string(),
		createdAt: z.int().min(0),
		group: z.string(),
		aliases: z.array(z.string()),
		ttlMs: z.int().positive().nullable(),
	}),
	z.strictObject({ id: z.string() }),
	z.strictObject({ opened: z.literal(FORMAT), boot: z.string().nullable() }),
	z.strictObject({ closed: z.literal(true) }),
]);

export type CachedEntry = Omit<IndexEntry, "logs" | "hasJournal" | "isWarm" | "expiresAt">;

interface CachedIndex {
	entries: Map<string, CachedEntry>;
	/** False: the machine may have lost some of the last lines, so look at every meta file. */
	trusted: boolean;
}

/**
 * A copy of the session index on disk, so that a start does not read every meta file. It only has
 * to be right about what it says: before a session it holds changes, a mark "look at the meta file"
 * is stored; when a line cannot be written, the file is removed.
 */
export class IndexCache {
	readonly #context: FilesContext;
	readonly #path: string;
	readonly #boot: string | null;
	readonly #queue = new SerialQueues();
	readonly #marked = new Set<string>();
	#file: AppendFile | null = null;
	#lines = 0;

	constructor(context: FilesContext, boot: string | null) {
		this.#context = context;
		this.#path = context.paths.index;
		this.#boot = boot;
	}

	async load(): Promise<CachedIndex> {
		const text = (await orNull(readFile(this.#path, "utf8"))) ?? "";
		const entries = new Map<string, CachedEntry>();
		let trusted = false;
		for (const each of text.split("\n")) {
			if (each === "") continue;
			const parsed = parse(each);
			if (parsed === null) {
				// A torn last line is a change that was not acknowledged, or a cache that lost a line.
				trusted = false;
			} else if ("opened" in parsed) {
				trusted = parsed.boot !== null && parsed.boot === this.#boot;
			} else if ("closed" in parsed) {
				trusted = true;
			} else if ("group" in parsed) {
				entries.set(parsed.id, parsed);
			} else {
				entries.delete(parsed.id);
			}
		}
		return { entries, trusted };
	}

	/** Writes the file anew. */
	rewrite(all: () => Iterable<IndexEntry>): Promise<void> {
		return this.#queue.run("", () => this.#rewrite([...all()]));
	}

	/** A session that is new. Not waited for: a start finds it in the folder. */
	added(entry: IndexEntry, all: () => Iterable<IndexEntry>, size: number): void {
		void this.#queue.run("", async () => {
			if (this.#lines > 2 * size + SLACK_LINES) return this.#rewrite([...all()]);
			this.#marked.delete(entry.id);
			return this.#write(encode(entry));
		});
	}

	/** A session that is about to change, or gone. Waited for: from here on its meta file counts. */
	async changes(id: string): Promise<void> {
		await this.#queue.run("", async () => {
			if (this.#marked.has(id)) return;
			await this.#write(JSON.stringify({ id }));
			this.#marked.add(id);
		});
	}

	async close(all: () => Iterable<IndexEntry>): Promise<void> {
		await this.#queue.run("", async () => {
			if (!this.#file || this.#marked.size > 0) await this.#rewrite([...all()]);
			await this.#write(JSON.stringify({ closed: true }));
		});
	}

	async #rewrite(entries: readonly IndexEntry[]): Promise<void> {
		const opened = JSON.stringify({ opened: FORMAT, boot: this.#boot });
		const text = `${[...entries.map(encode), opened].join("\n")}\n`;
		this.#context.handles.retire(this.#path);
		try {
			await replaceFile(this.#context, this.#path, text);
			this.#file = new AppendFile(this.#context, this.#path, Buffer.byteLength(text));
			this.#lines = entries.length;
			this.#marked.clear();
		} catch {
			await this.#giveUp();
		}
	}

	async #write(text: string): Promise<void> {
		try {
			await this.#file?.write(Buffer.from(`${text}\n`));
			this.#lines++;
		} catch {
			await this.#giveUp();
		}
	}

	/** Without the file the next start reads every meta file, which is slow and right. */
	async #giveUp(): Promise<void> {
		this.#file = null;
		this.#context.handles.retire(this.#path);
		await unlink(this.#path).catch(() => {});
	}
}

function encode({ id, createdAt, group, aliases, ttlMs }: IndexEntry): string {
	return JSON.stringify({ id, createdAt, group, aliases, ttlMs });
}

function parse(text: string): z.infer<typeof line> | null {
	try {
		return line.parse(JSON.parse(text));
	} catch {
		return null;
	}
}
