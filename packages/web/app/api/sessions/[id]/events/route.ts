import { sessionParams } from "../../../../../src/console/session-params";
import { route } from "../../../../../src/http/route";

/** A page of a session's log after a cursor; with `follow`, everything after it, as it comes. */
export const GET = route<{ id: string }>(({ request, api }, params) =>
	api.get(`sessions/${sessionParams(params)}/events${new URL(request.url).search}`),
);
