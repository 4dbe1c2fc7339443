import { EVENTS_LOG, readPosition, type SessionValue, type TurnLog } from "@baton/agent";
import type { Collection } from "@baton/session";
import { ApiError, errorResponse } from "../api-error";
import { sessionRoutes } from "./session-routes";

interface SessionsApiOptions {
	sessions: Collection<SessionValue>;
	log: TurnLog;
}

const HEARTBEAT_MS = 15_000;

/**
 * The addresses of sessions alone, for a process that runs no turns: it looks, and a turn that nobody
 * drives stays as it is. The caller is known already.
 */
export function createSessionsApi({ sessions, log }: SessionsApiOptions) {
	const route = sessionRoutes(
		{
			sessions,
			turns: {
				position: (id, record) => readPosition(sessions, id, record),
				follow: (id, options) => sessions.follow(id, EVENTS_LOG, options),
			},
			remove: (id) => sessions.delete(id),
		},
		HEARTBEAT_MS,
	);
	return {
		async fetchAs(owner: string, request: Request): Promise<Response> {
			const [method, found] = route(request.method, new URL(request.url).pathname) ?? [];
			try {
				if (!found) throw new ApiError("NOT_FOUND", "There is no such address here.");
				if (request.method !== method) {
					throw new ApiError("METHOD_NOT_ALLOWED", `This address takes ${method}.`);
				}
				return await found(request, owner);
			} catch (error) {
				return errorResponse(error, (cause) => log.warn({ error: cause }, "The store failed."));
			}
		},
	};
}
