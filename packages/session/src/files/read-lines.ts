import { NEWLINE } from "./log-lines";
import type { OpenFile } from "./open-file";

const CHUNK = 256 * 1024;
const SMALLEST = 4 * 1024;

/**
 * Calls `onLine` for every ended line from `from` (the start of a line) to `to`. Returns where the
 * last ended line ends.
 */
export async function scanLines(
	file: OpenFile,
	from: number,
	to: number,
	onLine: (line: ScannedLine) => void,
): Promise<number> {
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(to - from, 1)));
	let start = from;
	let firstByte = 0;
	for (let base = from; base < to; ) {
		const chunk = await readAt(file, buffer, base, Math.min(buffer.length, to - base));
		if (chunk.length === 0) break;
		let position = 0;
		for (;;) {
			if (base + position === start) firstByte = chunk[position] ?? 0;
			const newline = chunk.indexOf(NEWLINE, position);
			if (newline < 0) break;
			position = newline + 1;
			const end = base + position;
			onLine({ start, end, firstByte, before: chunk.subarray(0, position) });
			start = end;
			if (position === chunk.length) break;
		}
		base += chunk.length;
	}
	return start;
}

interface ScannedLine {
	start: number;
	/** Where the next line starts. */
	end: number;
	firstByte: number;
	/** Bytes right before `end`, as many as are at hand, at least the newline. */
	before: Buffer;
}

/** The lines from `from` (the start of a line) on: leaves out `skip`, returns up to `take`. */
export async function readForward(
	file: OpenFile,
	from: number,
	to: number,
	skip: number,
	take: number,
): Promise<Buffer[]> {
	const lines: Buffer[] = [];
	let rest: Buffer[] = [];
	let left = skip;
	for (let base = from; base < to && lines.length < take; ) {
		const size = Math.min(CHUNK, to - base);
		const chunk = await readAt(file, Buffer.allocUnsafe(size), base, size);
		if (chunk.length === 0) break;
		base += chunk.length;
		for (let start = 0; start < chunk.length && lines.length < take; ) {
			const newline = chunk.indexOf(NEWLINE, start);
			if (newline < 0) {
				rest.push(chunk.subarray(start));
				break;
			}
			const end = chunk.subarray(start, newline);
			if (left > 0) left--;
			else lines.push(rest.length > 0 ? Buffer.concat([...rest, end]) : end);
			if (rest.length > 0) rest = [];
			start = newline + 1;
		}
	}
	return lines;
}

/** The last `count` lines before `to` (the end of a line), read from there backwards. */
export async function readBackward(
	file: OpenFile,
	to: number,
	count: number,
	expectedBytes: number,
): Promise<Buffer[]> {
	let size = Math.min(Math.max(Math.ceil(expectedBytes), SMALLEST), 4 * CHUNK);
	const chunks: Buffer[] = [];
	let newlines = 0;
	let base = to;
	// The newline before the first wanted line ends the search, hence one more than lines.
	while (base > 0 && newlines <= count) {
		const length = Math.min(size, base);
		base -= length;
		const chunk = await readAt(file, Buffer.allocUnsafe(length), base, length);
		for (let i = chunk.indexOf(NEWLINE); i >= 0; i = chunk.indexOf(NEWLINE, i + 1)) newlines++;
		chunks.unshift(chunk);
		size = Math.min(size * 2, 4 * CHUNK);
	}
	const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
	const lines: Buffer[] = [];
	let start = 0;
	for (let skip = newlines - count; skip > 0; skip--) {
		start = bytes.indexOf(NEWLINE, start) + 1;
	}
	while (start < bytes.length) {
		const newline = bytes.indexOf(NEWLINE, start);
		lines.push(bytes.subarray(start, newline));
		start = newline + 1;
	}
	return lines;
}

/** Reads exactly the range, or up to the end of the file. */
export async function readAt(
	file: OpenFile,
	buffer: Buffer,
	position: number,
	length: number,
): Promise<Buffer> {
	let done = 0;
	while (done < length) {
		const count = await file.read(buffer, done, length - done, position + done);
		if (count === 0) break;
		done += count;
	}
	return buffer.subarray(0, done);
}
