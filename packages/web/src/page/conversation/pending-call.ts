import { isToolUIPart } from "ai";
import type { ChatMessage } from "../../chat/chat-message";

/** Whether the last message ends with a call of the page's tools that has no outcome yet. */
export function hasPendingCall(messages: readonly ChatMessage[]): boolean {
	const last = messages.at(-1);
	if (last?.role !== "assistant") return false;
	return last.parts.some(
		(part) =>
			isToolUIPart(part) &&
			part.type !== "dynamic-tool" &&
			(part.state === "input-available" || part.state === "input-streaming"),
	);
}
