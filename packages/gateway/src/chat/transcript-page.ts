import type { LogEntry } from "@baton/session";

/** A part of a transcript that ends where it was asked to. */
interface TranscriptPage {
	entries: LogEntry[];
	/** The place of the first entry: the page before it is read `before` this. */
	first: number;
	hasMore: boolean;
}

/** The newest of the entries that fit into so many bytes, one at least. */
export function pageOf(
	entries: readonly LogEntry[],
	maxBytes: number,
	before?: number,
): TranscriptPage {
	let bytes = 0;
	let from = entries.length;
	while (from > 0) {
		bytes += Buffer.byteLength(entries[from - 1]!.json);
		if (bytes > maxBytes && from < entries.length) break;
		from--;
	}
	const kept = entries.slice(from);
	const first = kept[0]?.seq ?? before ?? 1;
	return { entries: kept, first, hasMore: first > 1 && kept.length > 0 };
}
