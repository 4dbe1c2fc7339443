import { chatParams } from "../../../../../src/chat/chat-params";
import { route } from "../../../../../src/http/route";

/** Stops the agent, whichever process it runs in. */
export const POST = route<{ id: string }>(async ({ api }, params) => {
	await api.stop(chatParams(params));
	return Response.json({ ok: true });
});
