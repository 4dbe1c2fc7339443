import type { TextStreamPart, ToolSet } from "ai";
import type { ChatMetadata } from "./chat-message";

/** What the page gets to know of how a turn ended, while it is streamed. */
export function endOf(part: TextStreamPart<ToolSet>): ChatMetadata | undefined {
	if (part.type === "finish-step") {
		const notice = part.providerMetadata?.giselle?.notice;
		return typeof notice === "string" ? { notice } : undefined;
	}
	if (part.type !== "finish") return undefined;
	if (part.finishReason === "error") return { status: "error" };
	return part.rawFinishReason === "aborted" ? { status: "aborted" } : undefined;
}
