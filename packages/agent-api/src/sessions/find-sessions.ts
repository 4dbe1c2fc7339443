import type { SessionValue } from "@baton/agent";
import { TRANSCRIPT, type TranscriptRow } from "@baton/agent";
import type { ListedSession, SessionRow } from "@baton/protocol";
import type { SessionRecord } from "@baton/session";
import type { ListQuery } from "./session-query";
import { listed, rowOf, type SessionParts } from "./session-row";

/** What one call looks at, at the most, when there are conditions; the cursor goes on from there. */
const LOOKED = 500;
const AT_ONCE = 50;
/** Messages of a session that a text is looked for in: the latest. */
const MESSAGES = 50;

type Kept = SessionRecord<SessionValue>;

interface FoundSessions {
	sessions: (ListedSession | SessionRow)[];
	/** Null when there are no more. */
	cursor: string | null;
	/** How many sessions were looked at for it. */
	looked: number;
}

/** An owner's sessions that fit every condition, the newest first. */
export async function findSessions(
	parts: SessionParts,
	owner: string,
	query: ListQuery,
): Promise<FoundSessions> {
	const found: FoundSessions["sessions"] = [];
	let cursor = query.cursor;
	let looked = 0;
	const atOnce = hasConditions(query) ? AT_ONCE : query.limit;
	for (;;) {
		const limit = Math.min(atOnce, query.limit - found.length);
		const page = await parts.sessions.list({ group: owner, limit, ...(cursor && { cursor }) });
		const rows = await Promise.all(page.records.map((record) => find(parts, record, query)));
		found.push(...rows.filter((row) => row !== null));
		looked += page.records.length;
		if (page.cursor === null) return { sessions: found, cursor: null, looked };
		cursor = page.cursor;
		if (found.length >= query.limit || looked >= LOOKED) return { sessions: found, cursor, looked };
	}
}

export function hasConditions({ q, state, door, agent }: ListQuery): boolean {
	return Boolean(q || state || door || agent);
}

/** The session with its details, if it fits. */
export async function findRow(
	parts: SessionParts,
	record: Kept,
	query: ListQuery,
): Promise<SessionRow | null> {
	if (!(await fits(parts, record, query))) return null;
	const row = await rowOf(parts, record);
	return query.state === undefined || row.state === query.state ? row : null;
}

async function find(
	parts: SessionParts,
	record: Kept,
	query: ListQuery,
): Promise<ListedSession | SessionRow | null> {
	if (query.details || query.state !== undefined) return findRow(parts, record, query);
	return (await fits(parts, record, query)) ? listed(record) : null;
}

/** What costs least is looked at first. */
async function fits(
	parts: SessionParts,
	record: Kept,
	{ q, door, agent }: ListQuery,
): Promise<boolean> {
	if (door !== undefined && record.value.door !== door) return false;
	if (agent !== undefined && record.value.agentId !== agent) return false;
	return !q || holds(parts, record, q.toLowerCase());
}

async function holds(
	{ sessions }: SessionParts,
	{ id, value, aliases }: Kept,
	wanted: string,
): Promise<boolean> {
	const names = [id, value.label ?? "", value.agentId, ...aliases.slice(0, 100)];
	if (names.some((name) => name.toLowerCase().includes(wanted))) return true;
	const { entries } = await sessions.tail(id, TRANSCRIPT, MESSAGES);
	return entries.some((entry) => {
		const { content } = entry.event as TranscriptRow;
		return typeof content === "string" && content.toLowerCase().includes(wanted);
	});
}
