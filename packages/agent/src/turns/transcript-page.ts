import type { Collection, LogEntry } from "@baton/session";
import { type SessionValue, TRANSCRIPT } from "./session-value";

/** A part of a transcript that ends where it was asked to. */
interface TranscriptPage {
	entries: LogEntry[];
	/** The place of the first entry: the page before it is read `before` this. */
	first: number;
	hasMore: boolean;
}

interface PageOptions {
	limit: number;
	/** Only entries before this place. Default: the newest. */
	before?: number;
	/** What would be more is left to the next page. */
	maxBytes: number;
}

/** The last messages of a conversation. Costs what it returns, however long the transcript is. */
export async function readTranscriptPage(
	sessions: Collection<SessionValue>,
	sessionId: string,
	{ limit, before, maxBytes }: PageOptions,
): Promise<TranscriptPage> {
	return pageOf(await readRows(sessions, sessionId, limit, before), maxBytes, before);
}

async function readRows(
	sessions: Collection<SessionValue>,
	sessionId: string,
	limit: number,
	before: number | undefined,
): Promise<LogEntry[]> {
	if (before === undefined) return (await sessions.tail(sessionId, TRANSCRIPT, limit)).entries;
	const after = Math.max(before - 1 - limit, 0);
	const take = Math.min(limit, before - 1 - after);
	if (take <= 0) return [];
	const { entries } = await sessions.read(sessionId, TRANSCRIPT, { after, limit: take });
	return entries.filter(({ seq }) => seq < before);
}

/** The newest of the entries that fit into so many bytes, one at least. */
function pageOf(entries: readonly LogEntry[], maxBytes: number, before?: number): TranscriptPage {
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
