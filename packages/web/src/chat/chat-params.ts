import { WebError } from "../http/web-error";
import { chatIdSchema } from "./chat-request";

/** The chat that an address names. */
export function chatParams({ id }: { id: string }): string {
	const parsed = chatIdSchema.safeParse(id);
	if (!parsed.success) throw new WebError(404, "NOT_FOUND", "There is no such chat.");
	return parsed.data;
}
