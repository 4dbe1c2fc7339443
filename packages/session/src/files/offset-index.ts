import { appendFile, readFile, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { orNull } from "./file-errors";
import type { OpenFile } from "./open-file";
import { readAt } from "./read-lines";

/** About how many bytes lie between two checkpoints. */
const STEP = 128 * 1024;
const CHECKED_BYTES = 64;

/** Event `seq` begins at `offset`; the `checked` bytes before it have the checksum `sum`. */
interface Checkpoint {
	seq: number;
	offset: number;
	checked: number;
	sum: number;
}

/**
 * Where some events of a log begin, so that neither opening nor reading a long log goes through all
 * of it. The file is a cache: checked against the log when opened, and made anew when it is absent
 * or does not fit. Short logs have none.
 */
export class OffsetIndex {
	readonly #path: string;
	readonly #first: number;
	readonly #points: Checkpoint[] = [];
	/** How many of the checkpoints the file holds; -1 when the file must be written anew. */
	#saved = -1;

	private constructor(path: string, first: number) {
		this.#path = path;
		this.#first = first;
	}

	static empty(path: string, first: number): OffsetIndex {
		return new OffsetIndex(path, first);
	}

	/** What the file says of this log, as far as it is true of it. */
	static async load(
		path: string,
		first: number,
		file: OpenFile,
		size: number,
	): Promise<OffsetIndex> {
		const index = new OffsetIndex(path, first);
		if (size < STEP) return index;
		const [header, ...lines] = ((await orNull(readFile(path, "utf8"))) ?? "").split("\n");
		if (header !== String(first)) return index;
		for (const line of lines) {
			const [seq = 0, offset = 0, checked = 0, sum = 0] = line.split(" ").map(Number);
			if (seq > index.end.seq && offset > index.end.offset && offset <= size && checked > 0) {
				index.#points.push({ seq, offset, checked, sum });
			}
		}
		const last = index.#points.at(-1);
		if (!last || !(await holds(last, file))) index.#points.length = 0;
		// A torn or extra line in the file is left behind by writing it anew with the next checkpoint.
		else if (index.#points.length === lines.length - 1) index.#saved = index.#points.length;
		return index;
	}

	/** The last known beginning of an event. */
	get end(): { seq: number; offset: number } {
		return this.#points.at(-1) ?? { seq: this.#first, offset: 0 };
	}

	/** The known beginning at or before this event. */
	before(seq: number): { seq: number; offset: number } {
		let [low, high] = [0, this.#points.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.#points[middle] as Checkpoint).seq <= seq) low = middle + 1;
			else high = middle;
		}
		return this.#points[low - 1] ?? { seq: this.#first, offset: 0 };
	}

	isDue(offset: number): boolean {
		return offset - this.end.offset >= STEP;
	}

	/** `before` holds bytes right before the offset. */
	add(seq: number, offset: number, before: Buffer): void {
		const checked = Math.min(before.length, CHECKED_BYTES);
		const sum = crc32(before.subarray(before.length - checked));
		this.#points.push({ seq, offset, checked, sum });
	}

	/** The index of what is kept when everything before event `first`, at `offset`, is dropped. */
	trimmed(first: number, offset: number): OffsetIndex {
		const index = new OffsetIndex(this.#path, first);
		for (const point of this.#points) {
			const moved = { ...point, offset: point.offset - offset };
			if (moved.offset >= moved.checked) index.#points.push(moved);
		}
		return index;
	}

	/** Forgets what lies beyond the end of a log that was cut. */
	cut(offset: number): void {
		while (this.end.offset > offset) this.#points.pop();
		if (this.#saved > this.#points.length) this.#saved = -1;
	}

	/** Brings the file up to date. It is a cache, so a failure costs time at the next start, no more. */
	async save(): Promise<void> {
		if (this.#saved === this.#points.length || this.#points.length === 0) return;
		const fresh = this.#points.slice(Math.max(this.#saved, 0));
		const text = fresh.map((p) => `${p.seq} ${p.offset} ${p.checked} ${p.sum}\n`).join("");
		const count = this.#points.length;
		try {
			if (this.#saved > 0) await appendFile(this.#path, text);
			else await writeFile(this.#path, `${this.#first}\n${text}`, { mode: 0o600 });
			this.#saved = count;
		} catch {
			this.#saved = -1;
		}
	}
}

async function holds({ offset, checked, sum }: Checkpoint, file: OpenFile): Promise<boolean> {
	const bytes = await readAt(file, Buffer.alloc(checked), offset - checked, checked);
	return bytes.at(-1) === 0x0a && crc32(bytes) === sum;
}
