import { TRANSCRIPT } from "@baton/agent";
import { type ChatMessage, toMessages } from "../../chat/chat-message";
import { SearchParams } from "../../protocol/params";
import type { SessionMeta } from "../../sessions/session";
import { parseParams } from "./parse-params";
import type { MethodContext, MethodHandler } from "./types";

/** What one call looks at: so many sessions, so many of each one's latest messages. */
const SESSIONS = 200;
const MESSAGES = 200;
const AT_ONCE = 8;
const EXCERPT = 80;

interface Match extends Partial<Pick<ChatMessage, "role" | "runId" | "timestamp">> {
	session: SessionMeta;
	excerpt: string;
}

/** Sessions whose label or latest messages contain a text. The cursor goes on with older ones. */
export const sessionsSearch: MethodHandler = async (params, ctx) => {
	const { query, limit, cursor } = parseParams(SearchParams, params);
	const matches: Match[] = [];
	const wanted = query.toLowerCase();
	let position = cursor;
	for (let looked = 0; looked < SESSIONS; looked += AT_ONCE) {
		const page = await ctx.sessionManager.page({
			limit: Math.min(AT_ONCE, limit - matches.length),
			...(position !== undefined && { cursor: position }),
		});
		const found = await Promise.all(page.sessions.map((meta) => findIn(ctx, meta, wanted)));
		matches.push(...found.filter((match) => match !== null));
		if (page.cursor === null) return { matches, cursor: null };
		position = page.cursor;
		if (matches.length >= limit || ctx.signal.aborted) break;
	}
	return { matches, cursor: position ?? null };
};

async function findIn(
	{ sessions }: MethodContext,
	session: SessionMeta,
	wanted: string,
): Promise<Match | null> {
	const { label = "" } = session;
	if (label.toLowerCase().includes(wanted)) return { session, excerpt: label };
	const { entries } = await sessions.tail(session.key, TRANSCRIPT, MESSAGES);
	const message = toMessages(entries).findLast(({ content }) =>
		content.toLowerCase().includes(wanted),
	);
	if (!message) return null;
	const { role, runId, timestamp, content } = message;
	return { session, excerpt: excerptOf(content, wanted), role, timestamp, ...(runId && { runId }) };
}

function excerptOf(content: string, wanted: string): string {
	const at = content.toLowerCase().indexOf(wanted);
	const from = Math.max(at - EXCERPT, 0);
	const to = Math.min(at + wanted.length + EXCERPT, content.length);
	return `${from > 0 ? "…" : ""}${content.slice(from, to)}${to < content.length ? "…" : ""}`;
}
