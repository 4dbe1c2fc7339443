import { sessionParams } from "../../../../../src/console/session-params";
import { route } from "../../../../../src/http/route";

/** The whole log as a file of lines. */
export const GET = route<{ id: string }>(({ api }, params) =>
	api.get(`sessions/${sessionParams(params)}/export`),
);
