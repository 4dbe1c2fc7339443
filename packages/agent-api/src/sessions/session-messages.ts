import { readTranscriptPage } from "@baton/agent";
import { parseMessagesQuery } from "./session-query";
import type { SessionParts } from "./session-row";

/** The rows of one answer together. */
const MAX_BYTES = 1024 * 1024;

/** A page of a conversation, as JSON: the last messages, as they are stored. */
export async function messagesPage(
	{ sessions }: SessionParts,
	sessionId: string,
	query: URLSearchParams,
): Promise<string> {
	const { before, limit } = parseMessagesQuery(query);
	const { entries, first, hasMore } = await readTranscriptPage(sessions, sessionId, {
		limit,
		maxBytes: MAX_BYTES,
		...(before !== undefined && { before }),
	});
	const rows = entries.map(({ json }) => json).join(",");
	return `{"first":${first},"has_more":${hasMore},"messages":[${rows}]}`;
}
