import { createHash } from "node:crypto";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { SessionValue, Turns } from "@baton/agent";
import { type Collection, isBatonError } from "@baton/session";

/** Who talks to which agent: contexts and tasks belong to both. */
export interface Talk {
	owner: string;
	agent: string;
}

interface Context {
	sessionId: string;
	/** As the caller knows it. */
	contextId: string;
	/** Set where the session has another agent of its own: this one answers what comes by A2A. */
	agent?: string;
	/** The session's time to live, null for none. Absent where it was not read on the way. */
	ttlMs?: number | null;
}

const DOOR = "a2a";
/** A label says what a session is about, in one line. */
const LABEL_CHARS = 80;
const ID = /^[A-Za-z0-9_-]{1,128}$/;
const CONTEXT_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;

/** The session of a message: that of its context, made if the context is new. */
export async function findOrCreateContext(
	source: { turns: Turns; sessions: Collection<SessionValue> },
	talk: Talk,
	message: { contextId: string; messageId: string; text: string },
): Promise<Context> {
	const { turns, sessions } = source;
	const { contextId, messageId } = message;
	const label = message.text.trim().replace(/\s+/g, " ").slice(0, LABEL_CHARS);
	const session = {
		agentId: talk.agent,
		owner: talk.owner,
		door: DOOR,
		...(label && { label }),
	};
	if (contextId === "") {
		const id = idOfFirstMessage(talk, messageId);
		const isNew = await createOnce(() => turns.create({ ...session, id }));
		return { sessionId: id, contextId: id, ...(isNew && { ttlMs: turns.sessionTtlMs }) };
	}
	if (!CONTEXT_ID.test(contextId)) {
		throw new RequestMalformedError("contextId has 1 to 256 printable characters.");
	}
	const found = await findContext(sessions, talk, contextId);
	if (found) return found;
	await createOnce(() => turns.create({ ...session, aliases: [aliasOf(talk, contextId)] }));
	const made = await findContext(sessions, talk, contextId);
	if (!made) throw new RequestMalformedError("This contextId cannot be used.");
	return made;
}

/**
 * The caller's session by the context's id: its own, or one that the caller chose. What was begun at
 * another door goes on here under its session's id, with any agent.
 */
export async function findContext(
	sessions: Collection<SessionValue>,
	talk: Talk,
	contextId: string,
): Promise<Context | null> {
	const [byId, byAlias] = await Promise.all([
		ID.test(contextId) ? sessions.get(contextId) : null,
		sessions.find(aliasOf(talk, contextId)),
	]);
	const own = [byId, byAlias].filter((record) => record?.value.owner === talk.owner);
	const found = own.find((record) => record?.value.agentId === talk.agent);
	if (found) return { sessionId: found.id, contextId, ttlMs: found.ttlMs };
	if (!own.includes(byId) || byId?.value.door === DOOR) return null;
	return { sessionId: contextId, contextId, agent: talk.agent };
}

/** An owner has no slash in its name, so no alias reaches into another's. */
function aliasOf({ owner, agent }: Talk, contextId: string): string {
	return `${owner}/a2a:${agent}:${contextId}`;
}

/**
 * A message without a context begins one, and the same message again finds it: the session's id
 * follows from the message's. Written as a UUID, version 8.
 */
function idOfFirstMessage({ owner, agent }: Talk, messageId: string): string {
	const hash = createHash("sha256")
		.update(JSON.stringify([owner, agent, messageId]))
		.digest();
	hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
	hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
	const hex = hash.toString("hex");
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		hex.slice(12, 16),
		hex.slice(16, 20),
		hex.slice(20, 32),
	].join("-");
}

/**
 * Two first messages of one context at once: both belong to the session that came first. True: it was
 * made here.
 */
async function createOnce(create: () => Promise<unknown>): Promise<boolean> {
	try {
		await create();
		return true;
	} catch (error) {
		if (!isBatonError(error, "already_exists")) throw error;
		return false;
	}
}
