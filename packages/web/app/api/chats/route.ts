import { chatIdOf } from "../../../src/chat/chat-params";
import { route } from "../../../src/http/route";

const SHOWN = 50;

/** The visitor's chats, the newest first, and which agent answers in them. */
export const GET = route(async ({ api, host }) => {
	const sessions = await api.list(SHOWN);
	const chats = sessions.map((session) => ({
		id: chatIdOf(session),
		title: session.label ?? "Untitled",
		updatedAt: session.updated_at,
	}));
	const body = { agent: host.agent, chats };
	return Response.json(body, { headers: { "Cache-Control": "no-store" } });
});
