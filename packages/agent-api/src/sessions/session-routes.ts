import { findSession, noSession } from "../find-session";
import { ndjsonResponse } from "../ndjson-response";
import { withHeartbeat } from "../with-heartbeat";
import { findSessions } from "./find-sessions";
import { sessionDetails } from "./session-details";
import { eventsPage, exportEvents, followEvents } from "./session-events";
import { messagesPage } from "./session-messages";
import { parseEventsQuery, parseListQuery } from "./session-query";
import type { SessionParts } from "./session-row";
import { watchSessions } from "./watch-sessions";

type Route = (request: Request, owner: string) => Promise<Response>;

/** What an address does, and the method that it takes. */
type SessionRoute = [method: "GET" | "DELETE", route: Route];

const NO_STORE = { "Cache-Control": "no-store" };
const ONE = /^\/agent-api\/sessions\/([^/]{1,768})(?:\/(events|export|messages))?$/;

/** What an owner may do with its sessions, by method and address. Null: no such address. */
export function sessionRoutes(
	parts: SessionParts,
	heartbeatMs: number,
): (method: string, pathname: string) => SessionRoute | null {
	const list: Route = async (request, owner) => {
		const query = parseListQuery(new URL(request.url).searchParams);
		if (!query.watch) {
			return Response.json(await findSessions(parts, owner, query), { headers: NO_STORE });
		}
		const gone = new AbortController();
		const lines = watchSessions(parts, owner, query, gone.signal);
		return ndjsonResponse(openAtOnce(withHeartbeat(lines, heartbeatMs)), gone);
	};

	const one =
		(name: string, part: string | undefined): Route =>
		async (request, owner) => {
			const record = await findSession(parts.sessions, owner, name);
			if (record === null) throw noSession();
			if (part === undefined) {
				return Response.json(await sessionDetails(parts, record), { headers: NO_STORE });
			}
			const query = new URL(request.url).searchParams;
			if (part === "messages") return jsonText(await messagesPage(parts, record.id, query));
			const gone = new AbortController();
			const lines = { ...parts, sessionId: record.id, signal: gone.signal };
			if (part === "export") {
				const disposition = `attachment; filename="session-${record.id}.ndjson"`;
				const headers = { "Content-Disposition": disposition };
				return ndjsonResponse(exportEvents(lines), gone, headers);
			}
			const events = parseEventsQuery(query);
			if (events.follow) {
				const pieces = withHeartbeat(followEvents(lines, events.after), heartbeatMs);
				return ndjsonResponse(openAtOnce(pieces), gone);
			}
			return jsonText(await eventsPage(parts, record.id, events));
		};

	const remove =
		(name: string): Route =>
		async (_, owner) => {
			const record = await findSession(parts.sessions, owner, name);
			if (record === null) throw noSession();
			await parts.remove(record.id);
			return Response.json({ ok: true });
		};

	return (method, pathname) => {
		if (pathname === "/agent-api/sessions") return ["GET", list];
		const [, name, part] = ONE.exec(pathname) ?? [];
		const decoded = name === undefined ? null : decode(name);
		if (decoded === null) return null;
		if (method === "DELETE" && part === undefined) return ["DELETE", remove(decoded)];
		return ["GET", one(decoded, part)];
	};
}

/** A blank line first: the answer begins now, also when there is nothing to tell yet. */
async function* openAtOnce(
	pieces: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
	yield "\n";
	yield* pieces;
}

function jsonText(text: string): Response {
	return new Response(text, { headers: { ...NO_STORE, "Content-Type": "application/json" } });
}

function decode(name: string): string | null {
	try {
		return decodeURIComponent(name);
	} catch {
		return null;
	}
}
