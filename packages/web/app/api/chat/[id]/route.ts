import { chatParams } from "../../../../src/chat/chat-params";
import { route } from "../../../../src/http/route";
import { WebError } from "../../../../src/http/web-error";
import { historyOf } from "../../../../src/replay/history";

/** The conversation so far. */
export const GET = route<{ id: string }>(async ({ api }, params) => {
	const lines = await api.read(chatParams(params), { after: 0 });
	if (lines === null) throw new WebError(404, "NOT_FOUND", "There is no such chat.");
	return Response.json(await historyOf(lines), { headers: { "Cache-Control": "no-store" } });
});
