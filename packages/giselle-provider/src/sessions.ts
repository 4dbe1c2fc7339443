import { removeLiveConnection } from "./live-connections";
import type { SessionPort, SessionValue } from "./session-port";
import type { ChatMemory, SessionMetadata } from "./types";

/** As long as a relay session lasts without use. */
const SESSION_TTL_MS = 600_000;
const CHAT_TTL_MS = 24 * 60 * 60_000;

/** How long one resume keeps others from answering the same request. */
const CLAIM_MS = 15_000;

const sessionKey = (id: string) => `giselle:provider:session:${id}`;
const chatKey = (chatId: string) => `giselle:provider:chat:${chatId}`;

/** Whether this resume may answer, and the record it found. */
export interface Claim {
	won: boolean;
	metadata: SessionMetadata;
}

interface ClaimOptions {
	chatId?: string | undefined;
	/** What this process stored last. */
	expected?: SessionValue | undefined;
	/**
	 * The requests that the caller has answers to. A run that waits for none of them is not the
	 * caller's to answer: its results are those of an earlier step, sent again.
	 */
	answered?: readonly string[] | undefined;
	now?: number;
}

/** Runs and chats, on a port. */
export class Sessions {
	readonly #port: () => Promise<SessionPort>;
	readonly #chatTtlMs: number;

	constructor(port: () => Promise<SessionPort>, chatTtlMs = CHAT_TTL_MS) {
		this.#port = port;
		this.#chatTtlMs = chatTtlMs;
	}

	/** A new run. Its chat names it from here on: should its caller die, the next one finds it. */
	async create(metadata: SessionMetadata): Promise<void> {
		const port = await this.#port();
		const { providerSessionId, chatId } = metadata;
		await Promise.all([
			port.set(sessionKey(providerSessionId), { ...metadata }, SESSION_TTL_MS),
			chatId !== undefined && this.updateChat(chatId, { providerSessionId }),
		]);
	}

	async load(id: string, chatId?: string): Promise<SessionMetadata | null> {
		const port = await this.#port();
		const metadata = asMetadata(await port.get(sessionKey(id)));
		return metadata && isOfChat(metadata, chatId) ? metadata : null;
	}

	/** Changes the given fields and no others; a session that is gone stays gone. */
	async update(id: string, updates: Partial<SessionMetadata>): Promise<void> {
		const port = await this.#port();
		const change = (value: SessionValue | null) => value && { ...value, ...updates };
		await port.update(sessionKey(id), change, SESSION_TTL_MS);
	}

	/** The same for a run that goes on: if its record has expired, it is made anew. */
	async save(
		metadata: SessionMetadata,
		updates: Partial<SessionMetadata>,
	): Promise<SessionValue | null> {
		const port = await this.#port();
		const change = (value: SessionValue | null) => ({ ...(value ?? metadata), ...updates });
		return port.update(sessionKey(metadata.providerSessionId), change, SESSION_TTL_MS);
	}

	async delete(id: string): Promise<void> {
		const port = await this.#port();
		await Promise.all([port.delete(sessionKey(id)), removeLiveConnection(id)]);
	}

	/**
	 * Takes the pending requests for one resume. Of two that ask at once, one wins. A claim that came
	 * to nothing, since its process died, is free again after a while. Null: the session is gone, or
	 * it is another chat's.
	 */
	async claim(
		id: string,
		{ chatId, expected, answered, now = Date.now() }: ClaimOptions = {},
	): Promise<Claim | null> {
		const port = await this.#port();
		const by = crypto.randomUUID();
		let won = false;
		const take = (value: SessionValue | null) => {
			const metadata = asMetadata(value);
			won =
				metadata !== null &&
				isOfChat(metadata, chatId) &&
				pendingOf(metadata).some((id) => answered?.includes(id) ?? true) &&
				!(metadata.claim && now - metadata.claim.at < CLAIM_MS);
			return won ? { ...metadata, claim: { by, at: now } } : null;
		};
		const key = sessionKey(id);
		const metadata = asMetadata(await port.update(key, take, SESSION_TTL_MS, expected));
		return metadata && isOfChat(metadata, chatId) ? { won, metadata } : null;
	}

	async loadChat(chatId: string): Promise<ChatMemory | null> {
		const port = await this.#port();
		return (await port.get(chatKey(chatId))) as ChatMemory | null;
	}

	async updateChat(chatId: string, updates: ChatMemory): Promise<void> {
		const port = await this.#port();
		const change = (value: SessionValue | null) => ({ ...value, ...updates });
		await port.update(chatKey(chatId), change, this.#chatTtlMs);
	}

	/**
	 * The run is over: the chat no longer names it, unless it has begun another one by now. Where it
	 * paused last is kept, for a caller who missed what came then.
	 */
	async endRun(id: string, chatId: string | undefined, memory: ChatMemory): Promise<void> {
		const port = await this.#port();
		const change = (value: SessionValue | null) => {
			const before = (value ?? {}) as ChatMemory;
			const isOurs = before.providerSessionId === undefined || before.providerSessionId === id;
			const ended = { providerSessionId: undefined };
			return isOurs ? { ...before, ...memory, ...ended } : { ...before };
		};
		// A conversation without a name of its own is remembered for as long as its run would be.
		const ttlMs = chatId === undefined ? SESSION_TTL_MS : this.#chatTtlMs;
		await port.update(chatKey(chatId ?? id), change, ttlMs);
	}
}

/** A session of another chat does not exist for this one. */
function isOfChat(metadata: SessionMetadata, chatId: string | undefined): boolean {
	return chatId === undefined || (metadata.chatId ?? chatId) === chatId;
}

/** Ids of the requests that wait for an answer, also in a record with the seed's field alone. */
export function pendingOf(metadata: SessionMetadata): string[] {
	if (metadata.pendingRequestIds) return metadata.pendingRequestIds;
	return metadata.pendingRequestId === undefined ? [] : [metadata.pendingRequestId];
}

function asMetadata(value: SessionValue | null): SessionMetadata | null {
	return value === null ? null : (value as unknown as SessionMetadata);
}
