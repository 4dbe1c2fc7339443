import { sessionParams } from "../../../../../src/console/session-params";
import { route } from "../../../../../src/http/route";

/** Stops every turn of the session that has not ended, whichever process runs it. */
export const POST = route<{ id: string }>(async ({ api }, params) => {
	await api.stop(sessionParams(params));
	return Response.json({ ok: true });
});
