import { EVENTS_LOG } from "@baton/agent";
import { isBatonError, type LogEntry } from "@baton/session";
import { isText, lineOf, numbered } from "../line";
import { type Lines, resetLine } from "../turn-lines";
import type { EventsQuery } from "./session-query";
import type { SessionParts } from "./session-row";

/** Events that one call passes over in search of those that are no text. */
const PASSED = 20_000;
const SLICE = 1_000;
/** Events may be large: a page ends before it is. */
const PAGE_CHARS = 4 * 1024 * 1024;

/**
 * A page of a session's log, as JSON: the events after a cursor, `after` to go on from, and which events
 * there are. `reset` is set when the cursor was before what is kept.
 */
export async function eventsPage(
	{ sessions }: SessionParts,
	sessionId: string,
	query: EventsQuery,
): Promise<string> {
	const wanted = (entry: LogEntry) => query.text || !isText(entry);
	const limit = query.text ? query.limit : SLICE;
	const events: string[] = [];
	let { after } = query;
	let chars = 0;
	let reset: unknown = null;
	for (let passed = 0; ; ) {
		const slice = await sessions.read(sessionId, EVENTS_LOG, { after, limit });
		if (slice.reset) reset = slice.reset;
		let isFull = false;
		for (const entry of slice.entries) {
			isFull = events.length >= query.limit || (chars > PAGE_CHARS && events.length > 0);
			if (isFull) break;
			after = entry.seq;
			passed++;
			if (!wanted(entry)) continue;
			const text = numbered(entry);
			chars += text.length;
			events.push(text);
		}
		const isEnd = slice.entries.length === 0 || after >= slice.last;
		if (isFull || isEnd || events.length >= query.limit || passed >= PASSED) {
			const { first, last } = slice;
			const head = JSON.stringify({ first, last, after, reset }).slice(0, -1);
			return `${head},"events":[${events.join(",")}]}`;
		}
	}
}

const GONE = `${JSON.stringify({ type: "gone" })}\n`;

/**
 * Everything after a cursor, as lines, for as long as the reader stays and the session is there. Who
 * looks on resumes nothing.
 */
export async function* followEvents(
	{ sessions, sessionId, signal }: Lines,
	after: number,
): AsyncGenerator<string, void, undefined> {
	try {
		for await (const batch of sessions.follow(sessionId, EVENTS_LOG, { after, signal })) {
			const { entries, reset } = batch;
			let text = reset ? await resetLine(sessions, sessionId, reset) : "";
			for (const entry of entries) text += lineOf(entry);
			yield text;
		}
	} catch (error) {
		if (!isBatonError(error, "not_found")) throw error;
		yield GONE;
	}
}

/** The whole log as it is now, as lines. */
export async function* exportEvents({
	sessions,
	sessionId,
	signal,
}: Lines): AsyncGenerator<string, void, undefined> {
	const { first, last } = await sessions.state(sessionId, EVENTS_LOG);
	for (let after = first - 1; after < last && !signal.aborted; ) {
		const { entries, reset } = await sessions.read(sessionId, EVENTS_LOG, { after, limit: SLICE });
		let text = reset ? await resetLine(sessions, sessionId, reset) : "";
		for (const entry of entries) if (entry.seq <= last) text += lineOf(entry);
		if (text !== "") yield text;
		if (entries.length === 0) return;
		after = entries.at(-1)?.seq ?? last;
	}
}
