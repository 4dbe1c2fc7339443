import { unlink } from "node:fs/promises";
import type { RawSlice } from "../driver";
import { AppendFile } from "./append-file";
import { orNull } from "./file-errors";
import type { FilesContext } from "./files-context";
import { findLogEnd, type LogEnd } from "./log-end";
import { type BadLine, decodeLines, encodeBatch, NEWLINE } from "./log-lines";
import { OffsetIndex } from "./offset-index";
import { openExisting } from "./open-file";
import { readAt, readBackward, readForward } from "./read-lines";
import { replaceFile } from "./replace-file";
import { SetAside } from "./set-aside";

/** A slice that ends at the last event and is this short is read from the end of the file. */
const NEAR_THE_END = 256;
const COPY_CHUNK = 1024 * 1024;

/** One log, opened. Calls that write come one at a time; reads may come at any time. */
export class LineLog {
	readonly #context: FilesContext;
	readonly #id: string;
	readonly #name: string;
	readonly #setAside: SetAside;
	#file: AppendFile;
	#offsets: OffsetIndex;
	#first: number;
	#last: number;
	/** Where the last event ends. Changes together with `#last`, which the file's own length does not. */
	#length = 0;

	private constructor(context: FilesContext, id: string, name: string, first: number) {
		const { paths, report } = context;
		const path = paths.log(id, name, first);
		this.#context = context;
		this.#id = id;
		this.#name = name;
		this.#first = first;
		this.#last = first - 1;
		this.#file = new AppendFile(context, path, 0);
		this.#offsets = OffsetIndex.empty(paths.offsets(id, name), first);
		this.#setAside = new SetAside(paths.badLines(id, name), path, report);
	}

	/** A log without events; its file appears with the first one. */
	static create(context: FilesContext, id: string, name: string): LineLog {
		return new LineLog(context, id, name, 1);
	}

	/** Opens the file and mends its end. */
	static async open(
		context: FilesContext,
		id: string,
		name: string,
		first: number,
	): Promise<LineLog> {
		const log = new LineLog(context, id, name, first);
		const { handles, paths } = context;
		const path = log.#file.path;
		const end = await handles.use(path, openExisting, async (file) => {
			const size = await file.size();
			log.#offsets = await OffsetIndex.load(paths.offsets(id, name), first, file, size);
			return findLogEnd(file, size, log.#offsets);
		});
		log.#file = new AppendFile(context, path, end.length);
		log.#last = end.last;
		await log.#mend(end);
		log.#length = log.#file.length;
		await log.#offsets.save();
		return log;
	}

	get first(): number {
		return this.#first;
	}

	get last(): number {
		return this.#last;
	}

	async append(lines: readonly string[]): Promise<void> {
		const bytes = encodeBatch(lines);
		await this.#file.write(bytes);
		if (this.#offsets.isDue(this.#file.length)) this.#addCheckpoints(bytes);
		this.#last += lines.length;
		this.#length = this.#file.length;
		await this.#offsets.save();
	}

	async read(after: number, limit: number): Promise<RawSlice> {
		const [first, last, length] = [this.#first, this.#last, this.#length];
		const start = Math.max(after + 1, first);
		const take = Math.min(limit, last - start + 1);
		if (take <= 0) return { entries: [], first, last };
		if (take < NEAR_THE_END && start + take - 1 === last) return this.tail(take);
		const from = this.#offsets.before(start);
		const lines = await this.#context.handles.use(this.#file.path, openExisting, (file) =>
			readForward(file, from.offset, length, start - from.seq, take),
		);
		return { entries: await this.#decode(start, lines), first, last };
	}

	async tail(count: number): Promise<RawSlice> {
		const [first, last, length] = [this.#first, this.#last, this.#length];
		const take = Math.min(count, last - first + 1);
		if (take === 0) return { entries: [], first, last };
		const expected = (length / (last - first + 1)) * (take + 1) * 1.25;
		const lines = await this.#context.handles.use(this.#file.path, openExisting, (file) =>
			readBackward(file, length, take, expected),
		);
		return { entries: await this.#decode(last - take + 1, lines), first, last };
	}

	/** Moves the kept events to a file that says where it begins. False: there was nothing to drop. */
	async trim(firstKept: number): Promise<boolean> {
		const first = Math.min(firstKept, this.#last + 1);
		if (first <= this.#first) return false;
		await this.#file.settle();
		const { handles, paths } = this.#context;
		const [old, end] = [this.#file.path, this.#length];
		const from = await this.#offsetOf(first);
		const path = paths.log(this.#id, this.#name, first);
		await this.#copy(old, from, end, path).catch(async (error: unknown) => {
			// Were it in place all the same, it would count at the next start, and the old one would not.
			await unlink(path).catch(() => {});
			throw error;
		});
		this.#file = new AppendFile(this.#context, path, end - from);
		this.#offsets = this.#offsets.trimmed(first, from);
		this.#first = first;
		this.#length = end - from;
		// From here on the new file counts; an old one that stays is removed at the next start.
		handles.retire(old);
		await orNull(unlink(old)).catch(() => {});
		await this.#offsets.save();
		return true;
	}

	async #copy(old: string, from: number, end: number, path: string): Promise<void> {
		const { handles } = this.#context;
		await replaceFile(this.#context, path, async (target) => {
			const buffer = Buffer.allocUnsafe(Math.min(COPY_CHUNK, Math.max(end - from, 1)));
			for (let at = from; at < end; ) {
				const length = Math.min(buffer.length, end - at);
				const chunk = await handles.use(old, openExisting, (file) =>
					readAt(file, buffer, at, length),
				);
				if (chunk.length === 0) throw new Error(`${old} became shorter while it was read`);
				await target.write(chunk, at - from);
				at += chunk.length;
			}
		});
	}

	async #offsetOf(seq: number): Promise<number> {
		if (seq > this.#last) return this.#length;
		const from = this.#offsets.before(seq);
		const skipped = await this.#context.handles.use(this.#file.path, openExisting, (file) =>
			readForward(file, from.offset, this.#length, 0, seq - from.seq),
		);
		return skipped.reduce((offset, line) => offset + line.length + 1, from.offset);
	}

	#addCheckpoints(bytes: Buffer): void {
		let seq = this.#last + 1;
		for (let i = bytes.indexOf(NEWLINE); i >= 0; i = bytes.indexOf(NEWLINE, i + 1)) {
			seq++;
			const offset = this.#length + i + 1;
			if (this.#offsets.isDue(offset)) this.#offsets.add(seq, offset, bytes.subarray(0, i + 1));
		}
	}

	async #decode(first: number, lines: readonly Buffer[]) {
		const bad: BadLine[] = [];
		const entries = decodeLines(first, lines, (line) => bad.push(line));
		if (bad.length > 0) await this.#setAside.keepLines(bad);
		return entries;
	}

	async #mend({ length, excess, needsNewline }: LogEnd): Promise<void> {
		if (excess) {
			await this.#setAside.keepEnd(excess);
			await this.#file.cut(length);
		}
		if (needsNewline) await this.#file.write(Buffer.of(NEWLINE));
	}
}
