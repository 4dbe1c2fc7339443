import { readFile } from "node:fs/promises";
import { z } from "zod";
import { SerialQueues } from "../serial-queues";
import { AppendFile } from "./append-file";
import { orNull } from "./file-errors";
import type { FilesContext } from "./files-context";
import { NEWLINE } from "./log-lines";
import { replaceFile } from "./replace-file";

const SLACK_LINES = 1_000;

/** `at` in Unix ms, the one clock that a restart does not reset; null: cleared. */
const line = z.strictObject({ id: z.string(), at: z.number().nullable() });

/** The alarms of a collection: due times by the monotonic clock, and a file that brings them back. */
export class Alarms {
	readonly #context: FilesContext;
	readonly #due = new Map<string, number>();
	readonly #queue = new SerialQueues();
	#file: AppendFile;
	#lines = 0;

	constructor(context: FilesContext) {
		this.#context = context;
		this.#file = new AppendFile(context, context.paths.alarms, 0);
	}

	async load(exists: (id: string) => boolean): Promise<void> {
		const { paths } = this.#context;
		const bytes = (await orNull(readFile(paths.alarms))) ?? Buffer.alloc(0);
		const whole = bytes.lastIndexOf(NEWLINE) + 1;
		const lines = bytes.toString("utf8", 0, whole).split("\n");
		const now = Date.now();
		for (const each of lines) {
			const entry = parse(each);
			if (entry && entry.at !== null && exists(entry.id)) {
				this.#due.set(entry.id, performance.now() + entry.at - now);
			} else if (entry) {
				this.#due.delete(entry.id);
			}
		}
		this.#lines = lines.length;
		this.#file = new AppendFile(this.#context, paths.alarms, bytes.length);
		if (whole < bytes.length) await this.#file.cut(whole);
	}

	async set(id: string, inMs: number): Promise<void> {
		await this.#queue.run("", async () => {
			await this.#write(id, Date.now() + inMs);
			this.#due.set(id, performance.now() + inMs);
		});
	}

	async clear(id: string): Promise<void> {
		await this.#queue.run("", async () => {
			if (!this.#due.has(id)) return;
			await this.#write(id, null);
			this.#due.delete(id);
		});
	}

	/** Those whose time has come, earliest first. */
	due(): string[] {
		const now = performance.now();
		return [...this.#due]
			.filter(([, at]) => at <= now)
			.sort(([, a], [, b]) => a - b)
			.map(([id]) => id);
	}

	async drained(): Promise<void> {
		await this.#queue.drained();
	}

	async #write(id: string, at: number | null): Promise<void> {
		if (this.#lines > 2 * this.#due.size + SLACK_LINES) await this.#rewrite();
		await this.#file.write(Buffer.from(encode(id, at)));
		this.#lines++;
	}

	async #rewrite(): Promise<void> {
		const { paths, sync, handles } = this.#context;
		const toWall = Date.now() - performance.now();
		const text = [...this.#due].map(([id, at]) => encode(id, at + toWall)).join("");
		await replaceFile(this.#context, paths.alarms, text, sync.mode !== "never");
		handles.retire(paths.alarms);
		this.#file = new AppendFile(this.#context, paths.alarms, Buffer.byteLength(text));
		this.#lines = this.#due.size;
	}
}

function encode(id: string, at: number | null): string {
	return `${JSON.stringify({ id, at })}\n`;
}

function parse(text: string): z.infer<typeof line> | null {
	try {
		return line.parse(JSON.parse(text));
	} catch {
		return null;
	}
}
