import { chatParams } from "../../../../src/chat/chat-params";
import { route } from "../../../../src/http/route";
import { historyOf } from "../../../../src/replay/history";

/** The conversation so far: of a chat in which nobody said anything, nothing. */
export const GET = route<{ id: string }>(async ({ api }, params) => {
	const lines = (await api.read(chatParams(params), { after: 0 })) ?? [];
	return Response.json(await historyOf(lines), { headers: { "Cache-Control": "no-store" } });
});
