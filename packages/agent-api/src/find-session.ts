import type { SessionValue, Turns } from "@baton/agent";
import { type Collection, isBatonError, type SessionRecord } from "@baton/session";
import { ApiError } from "./api-error";

/** A chat id of an owner's own, as an alias: two owners may use the same one. */
function aliasOf(owner: string, chatId: string): string {
	return `${owner}/${chatId}`;
}

/** A first message that may be sent again finds its session by its key. No owner has a `#` in its name. */
function firstAlias(owner: string, idempotencyKey: string | undefined): string | undefined {
	return idempotencyKey === undefined ? undefined : `${owner}#${idempotencyKey}`;
}

/** The chat id that an alias of this owner stands for. */
export function chatIdIn(owner: string, aliases: readonly string[]): string | undefined {
	const prefix = aliasOf(owner, "");
	return aliases.find((alias) => alias.startsWith(prefix))?.slice(prefix.length);
}

/** A label says what a session is about, in one line. */
const LABEL_CHARS = 80;

const ID = /^[A-Za-z0-9_-]{1,128}$/;
/** As sessions are named that nobody named: it is rarely a chat id, so that one is looked for after it. */
const OWN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isOwnId(sessionId: string): boolean {
	return OWN_ID.test(sessionId);
}

/** The caller's session by its id or chat id. Someone else's does not exist for the caller. */
export async function findSession(
	sessions: Collection<SessionValue>,
	owner: string,
	sessionId: string,
): Promise<SessionRecord<SessionValue> | null> {
	const findAlias = () => sessions.find(aliasOf(owner, sessionId));
	const early = isOwnId(sessionId) ? null : findAlias();
	// Looked at when the other look is over.
	early?.catch(() => {});
	const byId = ID.test(sessionId) ? await sessions.get(sessionId) : null;
	if (byId && byId.value.owner !== owner) throw noSession();
	const byAlias = byId ? null : await (early ?? findAlias());
	const found = byId ?? byAlias;
	return found?.value.owner === owner ? found : null;
}

/** The caller's session, made if its chat id is new. */
export async function findOrCreateSession(
	turns: Turns,
	sessions: Collection<SessionValue>,
	caller: Caller,
): Promise<string> {
	const { owner, agentId, door, sessionId, idempotencyKey } = caller;
	if (sessionId !== undefined) {
		const found = await findSession(sessions, owner, sessionId);
		if (found !== null) return found.id;
	}
	const alias =
		sessionId === undefined ? firstAlias(owner, idempotencyKey) : aliasOf(owner, sessionId);
	const label = caller.label.trim().replace(/\s+/g, " ").slice(0, LABEL_CHARS);
	const session = {
		agentId,
		owner,
		door,
		...(label && { label }),
		...(alias && { aliases: [alias] }),
	};
	try {
		return (await turns.create(session)).key;
	} catch (error) {
		// Two first messages of one chat, or one message twice: both belong to the session that came first.
		const other = alias && isBatonError(error, "already_exists") && (await sessions.find(alias));
		if (!other || other.value.owner !== owner) throw error;
		return other.id;
	}
}

interface Caller {
	owner: string;
	agentId: string;
	/** Through which a new session is begun, for display. */
	door: string;
	sessionId: string | undefined;
	idempotencyKey: string | undefined;
	/** What a new session is about. */
	label: string;
}

export function noSession(): ApiError {
	return new ApiError("NOT_FOUND", "There is no such session.");
}
