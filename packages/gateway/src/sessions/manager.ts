import { randomUUID } from "node:crypto";
import { z } from "zod";
import { FileSessions } from "./file-sessions";
import type { Session, SessionMeta } from "./session";
import { DEFAULT_AGENT, type SessionPage, type SessionSource } from "./session-source";

const uuid = z.uuid();
/** Pages that `list` reads at a time. */
const PAGE = 1_000;

/** Makes, finds and lists sessions. */
export class SessionManager {
	readonly #source: SessionSource;

	/** By itself it works on the files of a folder. The gateway gives it the session core instead. */
	constructor(sessionsDir: string, source: SessionSource = new FileSessions(sessionsDir)) {
		this.#source = source;
	}

	async create(agentId: string = DEFAULT_AGENT): Promise<Session> {
		return this.#source.create(randomUUID(), agentId);
	}

	/** The session of this key. A key that is no UUID never reaches a file name. */
	async get(key: string): Promise<Session | null> {
		return uuid.safeParse(key).success ? this.#source.get(key) : null;
	}

	/** All sessions, newest first. */
	async list(): Promise<SessionMeta[]> {
		const all: SessionMeta[] = [];
		let cursor: string | null = null;
		do {
			const page: SessionPage = await this.page({ limit: PAGE, ...(cursor && { cursor }) });
			all.push(...page.sessions);
			cursor = page.cursor;
		} while (cursor !== null);
		return all;
	}

	page(options: { limit: number; cursor?: string }): Promise<SessionPage> {
		return this.#source.page(options);
	}
}
