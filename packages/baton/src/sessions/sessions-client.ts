import { ndjsonParserStream, type SessionDetails, type SessionRow } from "@baton/protocol";

/** A row of a transcript, as it is stored. */
export interface StoredMessage {
	role: string;
	content: string;
	timestamp: number;
	runId?: string;
	status?: string;
	error?: string;
}

/** An event of a session's log, as a line. */
export interface Line {
	type: string;
	seq?: number;
	[field: string]: unknown;
}

interface MessagesPage {
	first: number;
	has_more: boolean;
	messages: StoredMessage[];
}

/** Calls an address below `/agent-api/sessions`: of a server, or of the store that this process opened. */
export type Call = (path: string, init?: RequestInit) => Promise<Response>;

/** Why a call was refused, in the words of who refused it. */
export class SessionsError extends Error {
	override readonly name = "SessionsError";
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

const PAGE = 200;
const MESSAGES = 500;

/** An owner's sessions, wherever they are. */
export class SessionsClient {
	readonly #call: Call;

	constructor(call: Call) {
		this.#call = call;
	}

	/** Those that fit, the newest first. */
	async *list(
		filter: Readonly<Record<string, string | undefined>>,
		limit: number,
	): AsyncGenerator<SessionRow> {
		let cursor: string | null = null;
		for (let left = limit; left > 0; ) {
			const query = new URLSearchParams({ details: "true", limit: `${Math.min(left, PAGE)}` });
			for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
			if (cursor !== null) query.set("cursor", cursor);
			const page = await this.#json<{ sessions: SessionRow[]; cursor: string | null }>(`?${query}`);
			yield* page.sessions;
			left -= page.sessions.length;
			cursor = page.cursor;
			if (cursor === null) return;
		}
	}

	get(id: string): Promise<SessionDetails> {
		return this.#json(`/${encodeURIComponent(id)}`);
	}

	/** The last messages, oldest first. */
	async messages(id: string, limit: number): Promise<StoredMessage[]> {
		const pages: StoredMessage[][] = [];
		let left = limit;
		for await (const page of this.pages(id, Math.min(limit, MESSAGES))) {
			pages.unshift(page.slice(-left));
			left -= page.length;
			if (left <= 0) break;
		}
		return pages.flat();
	}

	/** The conversation from its end, a page at a time. */
	async *pages(id: string, limit = MESSAGES): AsyncGenerator<StoredMessage[]> {
		for (let before = ""; ; ) {
			const path = `/${encodeURIComponent(id)}/messages?limit=${limit}${before}`;
			const page = await this.#json<MessagesPage>(path);
			yield page.messages;
			if (!page.has_more) return;
			before = `&before=${page.first}`;
		}
	}

	/** Every event after a cursor, then those that come, until the connection ends. */
	async *follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Line> {
		const path = `/${encodeURIComponent(id)}/events?follow=true&after=${after}`;
		const { body } = await this.#checked(path, { signal });
		for await (const item of body!.pipeThrough(ndjsonParserStream())) {
			if (item.kind === "object") yield item.value as Line;
		}
	}

	async delete(id: string): Promise<void> {
		await this.#checked(`/${encodeURIComponent(id)}`, { method: "DELETE" });
	}

	async #json<T>(path: string): Promise<T> {
		return (await this.#checked(path)).json() as Promise<T>;
	}

	async #checked(path: string, init?: RequestInit): Promise<Response> {
		const response = await this.#call(path, init);
		if (response.ok) return response;
		const { message } = (await response.json().catch(() => ({}))) as { message?: string };
		throw new SessionsError(response.status, message ?? `It answered ${response.status}.`);
	}
}
