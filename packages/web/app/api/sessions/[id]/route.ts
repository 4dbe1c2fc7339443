import { sessionParams } from "../../../../src/console/session-params";
import { route } from "../../../../src/http/route";

/** Where a session stands, and who drives it. */
export const GET = route<{ id: string }>(({ api }, params) =>
	api.get(`sessions/${sessionParams(params)}`),
);
