import {
	EVENTS_LOG,
	OpenRuns,
	readTranscriptPage,
	type SessionValue,
	type TranscriptRow,
} from "@baton/agent";
import type { Collection } from "@baton/session";
import { type ChatMessage, toMessages } from "./chat-message";

/** Turns that have not ended, as far as the log was read. */
interface Unfinished {
	/** Up to here the log was read: to subscribe after it leaves no gap and repeats nothing. */
	seq: number;
	/** The turn that runs, with what it has said so far. */
	partial: { runId: string; text: string } | null;
	/** Turns that wait, in order. */
	queued: string[];
}

interface History extends Unfinished {
	messages: ChatMessage[];
	/** The place of the first message in the transcript: read on `before` it. */
	first: number;
	hasMore: boolean;
}

export async function readUnfinished(
	sessions: Collection<SessionValue>,
	sessionKey: string,
): Promise<Unfinished> {
	const settledSeq = (await sessions.get(sessionKey))?.value.settledSeq ?? 0;
	const runs = new OpenRuns(settledSeq);
	for (;;) {
		const { entries } = await sessions.read(sessionKey, EVENTS_LOG, { after: runs.last });
		for (const entry of entries) runs.feed(entry);
		if (entries.length === 0) break;
	}
	const running = runs.all.find(({ attempt }) => attempt > 0);
	const queued = runs.all.filter((run) => run !== running).map(({ runId }) => runId);
	const partial = running ? { runId: running.runId, text: running.text } : null;
	return { seq: runs.last, partial, queued };
}

/**
 * The last messages of a conversation, and its unfinished turns. Costs what it returns, however long
 * the transcript is; what would be more than `maxBytes` is left to the next page.
 */
export async function readHistory(
	sessions: Collection<SessionValue>,
	sessionKey: string,
	options: Parameters<typeof readTranscriptPage>[2],
): Promise<History> {
	const unfinished = await readUnfinished(sessions, sessionKey);
	const { entries: kept, ...page } = await readTranscriptPage(sessions, sessionKey, options);
	// A turn that ended since its events were read is told by its end, which comes after `seq`.
	const stillRuns = unfinished.partial?.runId;
	const rows = kept.filter(({ event }) => {
		const { role, runId } = event as TranscriptRow;
		return role !== "assistant" || runId === undefined || runId !== stillRuns;
	});
	return { messages: toMessages(rows), ...page, ...unfinished };
}
