import { EVENTS_LOG } from "@baton/agent";
import { ChangedIds } from "./changed-ids";
import { findRow, findSessions, hasConditions } from "./find-sessions";
import type { ListQuery } from "./session-query";
import { isOpen, type SessionParts } from "./session-row";

/** How often new sessions are looked for; where each has to be read for that, less often. */
const LOOK_MS = 1_000;
const LOOK_INTO_MS = 3_000;
/** How many of the newest are looked at. */
const NEWEST = 50;

/**
 * Lines about the sessions that a reader has in view, whenever they change, and about new ones. What
 * happens in a session is pushed by its log; that there is another one is looked for.
 */
export async function* watchSessions(
	parts: SessionParts,
	owner: string,
	query: ListQuery,
	signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
	const watched = new WatchedSessions(parts, owner, query);
	const changed = new ChangedIds(query.ids);
	for (const id of query.ids) void listen(parts, id, signal, () => changed.add(id));
	const everyMs = hasConditions(query) ? LOOK_INTO_MS : LOOK_MS;
	let lookAt = 0;
	while (!signal.aborted) {
		const isTime = performance.now() >= lookAt;
		const ids = isTime ? [...changed.take(), ...watched.open] : changed.take();
		let lines = await watched.changes(ids);
		if (isTime) {
			lines += await watched.news();
			lookAt = performance.now() + everyMs;
		}
		if (lines !== "") yield lines;
		await changed.wait(lookAt - performance.now(), signal);
	}
}

/** Calls whenever something was appended, and once when no more can be told. */
async function listen(
	{ turns, sessions }: SessionParts,
	id: string,
	signal: AbortSignal,
	touched: () => void,
): Promise<void> {
	try {
		const { last } = await turns.position(id);
		for await (const _ of sessions.follow(id, EVENTS_LOG, { after: last, signal })) touched();
	} catch {
		// Reading it says why.
		touched();
	}
}

/** What a reader was told of which session, so that nothing is told twice. */
class WatchedSessions {
	/** Those whose turn had not ended when they were read. */
	readonly open = new Set<string>();
	readonly #parts: SessionParts;
	readonly #owner: string;
	readonly #query: ListQuery;
	readonly #told = new Map<string, string>();
	/** The newest, as of the last look. */
	#newest = new Set<string>();

	constructor(parts: SessionParts, owner: string, query: ListQuery) {
		this.#parts = parts;
		this.#owner = owner;
		this.#query = query;
	}

	async changes(ids: Iterable<string>): Promise<string> {
		const lines = await Promise.all([...new Set(ids)].map((id) => this.#read(id)));
		return lines.join("");
	}

	/** Sessions that came, or that fit now. */
	async news(): Promise<string> {
		const { cursor: _, ...rest } = this.#query;
		const details = hasConditions(rest);
		const page = await findSessions(this.#parts, this.#owner, { ...rest, details, limit: NEWEST });
		const { since = 0 } = this.#query;
		const fresh = page.sessions.filter(
			({ id, created_at: at }) => (details || at >= since) && !this.#newest.has(id),
		);
		this.#newest = new Set(page.sessions.map(({ id }) => id));
		return this.changes(fresh.map(({ id }) => id).filter((id) => !this.#told.has(id)));
	}

	async #read(id: string): Promise<string> {
		const { sessions } = this.#parts;
		const record = await sessions.get(id);
		const row =
			record?.value.owner === this.#owner ? await findRow(this.#parts, record, this.#query) : null;
		const line = JSON.stringify(row ? { type: "session", ...row } : { type: "gone", id });
		if (!this.#query.ids.includes(id)) return `${line}\n`;
		// The end of a turn is in its log before its record says so: until then it is read again.
		if (row && isOpen(row.state)) this.open.add(id);
		else this.open.delete(id);
		if (this.#told.get(id) === line) return "";
		this.#told.set(id, line);
		return `${line}\n`;
	}
}
