import { type BadLine, GOES_ON, isClosedValue } from "./log-lines";
import type { OffsetIndex } from "./offset-index";
import type { OpenFile } from "./open-file";
import { readAt, scanLines } from "./read-lines";

export interface LogEnd {
	/** The last event that is whole. */
	last: number;
	/** Where it ends. */
	length: number;
	/** What lies past it and is to be set aside and cut off. */
	excess: BadLine | null;
	/** The last event is whole but its newline is missing. */
	needsNewline: boolean;
}

/** Goes through a log from the last checkpoint, adds those that are due, and finds its good end. */
export async function findLogEnd(
	file: OpenFile,
	size: number,
	offsets: OffsetIndex,
): Promise<LogEnd> {
	const from = offsets.end;
	let next = from.seq;
	/** The first line of a batch that goes on, while its last line has not come. */
	let open: { seq: number; offset: number } | null = null;
	const length = await scanLines(file, from.offset, size, ({ start, end, firstByte, before }) => {
		if (firstByte === GOES_ON) open ??= { seq: next, offset: start };
		else open = null;
		next++;
		if (offsets.isDue(end)) offsets.add(next, end, before);
	});
	const rest = await readAt(file, Buffer.allocUnsafe(size - length), length, size - length);
	const whole = { last: next - 1, length, excess: null, needsNewline: false };
	if (rest.length === 0 && !open) return whole;
	if (rest.length > 0 && isClosedValue(rest)) {
		return { ...whole, last: next, length: size, needsNewline: true };
	}
	const cut: { seq: number; offset: number } = open ?? { seq: next, offset: length };
	if (open && cut.offset === from.offset && from.offset > 0) {
		// The batch may have begun before the checkpoint.
		offsets.cut(0);
		return findLogEnd(file, size, offsets);
	}
	offsets.cut(cut.offset);
	const bytes = await readAt(
		file,
		Buffer.allocUnsafe(size - cut.offset),
		cut.offset,
		size - cut.offset,
	);
	const reason = open || rest[0] === GOES_ON ? "incomplete-batch" : "torn-line";
	return {
		last: cut.seq - 1,
		length: cut.offset,
		excess: { seq: cut.seq, reason, bytes },
		needsNewline: false,
	};
}
