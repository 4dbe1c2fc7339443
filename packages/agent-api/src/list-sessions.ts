import type { SessionValue } from "@baton/agent";
import type { Collection } from "@baton/session";
import { ApiError } from "./api-error";
import { chatIdIn } from "./find-session";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** A session as its owner sees it in a list. `session_id` is what the caller named it, if it did. */
interface ListedSession {
	session_id: string;
	label?: string;
	agent: string;
	door: string;
	/** Wall time in Unix ms, for display. */
	created_at: number;
	updated_at: number;
}

interface SessionPage {
	sessions: ListedSession[];
	/** Null when this was the last page. */
	cursor: string | null;
}

/** An owner's sessions, the newest first. */
export async function listSessions(
	sessions: Collection<SessionValue>,
	owner: string,
	query: URLSearchParams,
): Promise<SessionPage> {
	const asked = query.get("limit") ?? `${DEFAULT_LIMIT}`;
	const limit = Number(asked);
	if (!/^\d{1,3}$/.test(asked) || limit < 1 || limit > MAX_LIMIT) {
		throw new ApiError("INVALID_REQUEST", `limit: is a number from 1 to ${MAX_LIMIT}.`);
	}
	const cursor = query.get("cursor");
	const page = await sessions.list({ group: owner, limit, ...(cursor && { cursor }) });
	return {
		sessions: page.records.map(({ id, value, aliases }) => ({
			session_id: chatIdIn(owner, aliases) ?? id,
			...(value.label !== undefined && { label: value.label }),
			agent: value.agentId,
			door: value.door,
			created_at: value.createdAt,
			updated_at: value.updatedAt,
		})),
		cursor: page.cursor,
	};
}
