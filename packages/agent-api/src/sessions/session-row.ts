import {
	EVENTS_LOG,
	type SessionValue,
	TRANSCRIPT,
	type TranscriptRow,
	type TurnPosition,
	type Turns,
} from "@baton/agent";
import type { ListedSession, SessionRow, SessionState } from "@baton/protocol";
import type { Collection, SessionRecord } from "@baton/session";
import { chatIdIn } from "../find-session";
import { isText } from "../line";

/** What listing sessions works with. */
export interface SessionParts {
	turns: Pick<Turns, "position" | "follow">;
	sessions: Collection<SessionValue>;
	/** Removes a session, with what runs in it. */
	remove(sessionId: string): Promise<void>;
}

const WORDS_CHARS = 200;
/** Events of a turn that runs, of which the last words are made. */
const WORDS_EVENTS = 40;
/** What was said before these is of another turn, or taken back. */
const BEGINS = ['{"type":"input_admitted"', '{"type":"init"', '{"type":"retract"'];

type Kept = SessionRecord<SessionValue>;

export function listed({ id, value, aliases, group }: Kept): ListedSession {
	return {
		id,
		session_id: chatIdIn(group, aliases) ?? id,
		...(value.label !== undefined && { label: value.label }),
		agent: value.agentId,
		door: value.door,
		created_at: value.createdAt,
		updated_at: value.updatedAt,
	};
}

/** A session with its state and its last words. Costs three looks, however long its logs are. */
export async function rowOf({ turns, sessions }: SessionParts, record: Kept): Promise<SessionRow> {
	const [position, { entries }] = await Promise.all([
		turns.position(record.id, record.value),
		sessions.tail(record.id, TRANSCRIPT, 1),
	]);
	const row = entries[0]?.event as TranscriptRow | undefined;
	const state = stateOf(position, row);
	const saying = isOpen(state) ? await wordsNow(sessions, record.id) : "";
	return {
		...listed(record),
		state,
		last: position.last,
		last_words: saying ? { role: "assistant", text: saying } : wordsIn(row),
	};
}

export function stateOf(position: TurnPosition, row: TranscriptRow | undefined): SessionState {
	if (position.last > position.settledSeq) return position.hasPending ? "waiting" : "running";
	if (row === undefined) return "new";
	if (row.status === "error") return "failed";
	return row.status === "aborted" ? "stopped" : "done";
}

export function isOpen(state: SessionState): boolean {
	return state === "running" || state === "waiting";
}

/** What the agent is saying: the end of it. */
async function wordsNow(sessions: Collection<SessionValue>, id: string): Promise<string> {
	const { entries } = await sessions.tail(id, EVENTS_LOG, WORDS_EVENTS);
	let text = "";
	for (const entry of entries) {
		if (BEGINS.some((start) => entry.json.startsWith(start))) text = "";
		if (!isText(entry)) continue;
		const { role, content } = entry.event as { role?: string; content?: unknown };
		if (role === "assistant" && typeof content === "string") text += content;
	}
	const line = oneLine(text);
	return line.length > WORDS_CHARS ? `…${line.slice(-WORDS_CHARS)}` : line;
}

function wordsIn(row: TranscriptRow | undefined): SessionRow["last_words"] {
	if (typeof row?.content !== "string" || row.role === "tool_result") return null;
	const line = oneLine(row.content === "" ? (row.error ?? "") : row.content);
	const text = line.length > WORDS_CHARS ? `${line.slice(0, WORDS_CHARS)}…` : line;
	return text === "" ? null : { role: row.role, text };
}

function oneLine(text: string): string {
	return text.slice(-20_000).replace(/\s+/g, " ").trim();
}
