import { WebError } from "../http/web-error";
import { chatIdSchema } from "./chat-request";

/** The chat that an address names. */
export function chatParams({ id }: { id: string }): string {
	const parsed = chatIdSchema.safeParse(id);
	if (!parsed.success) throw new WebError(404, "NOT_FOUND", "There is no such chat.");
	return parsed.data;
}

/** The name under which a chat is opened: the one it was begun with here, or its session's own. */
export function chatIdOf(session: { id: string; session_id: string }): string {
	return chatIdSchema.safeParse(session.session_id).data ?? session.id;
}
