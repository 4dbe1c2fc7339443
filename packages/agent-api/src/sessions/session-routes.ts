import { findSession, noSession } from "../find-session";
import { ndjsonResponse } from "../ndjson-response";
import { withHeartbeat } from "../with-heartbeat";
import { findSessions } from "./find-sessions";
import { sessionDetails } from "./session-details";
import { eventsPage, exportEvents, followEvents } from "./session-events";
import { parseEventsQuery, parseListQuery } from "./session-query";
import type { SessionParts } from "./session-row";
import { watchSessions } from "./watch-sessions";

type Route = (request: Request, owner: string) => Promise<Response>;

const NO_STORE = { "Cache-Control": "no-store" };
const ONE = /^\/agent-api\/sessions\/([^/]{1,768})(?:\/(events|export))?$/;

/** What an owner may read of its sessions, by address. Null: no such address. */
export function sessionRoutes(
	parts: SessionParts,
	heartbeatMs: number,
): (pathname: string) => Route | null {
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
			const gone = new AbortController();
			const lines = { ...parts, sessionId: record.id, signal: gone.signal };
			if (part === "export") {
				const disposition = `attachment; filename="session-${record.id}.ndjson"`;
				const headers = { "Content-Disposition": disposition };
				return ndjsonResponse(exportEvents(lines), gone, headers);
			}
			const query = parseEventsQuery(new URL(request.url).searchParams);
			if (query.follow) {
				const pieces = withHeartbeat(followEvents(lines, query.after), heartbeatMs);
				return ndjsonResponse(openAtOnce(pieces), gone);
			}
			const headers = { ...NO_STORE, "Content-Type": "application/json" };
			return new Response(await eventsPage(parts, record.id, query), { headers });
		};

	return (pathname) => {
		if (pathname === "/agent-api/sessions") return list;
		const [, name, part] = ONE.exec(pathname) ?? [];
		const decoded = name === undefined ? null : decode(name);
		return decoded === null ? null : one(decoded, part);
	};
}

/** A blank line first: the answer begins now, also when there is nothing to tell yet. */
async function* openAtOnce(
	pieces: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
	yield "\n";
	yield* pieces;
}

function decode(name: string): string | null {
	try {
		return decodeURIComponent(name);
	} catch {
		return null;
	}
}
