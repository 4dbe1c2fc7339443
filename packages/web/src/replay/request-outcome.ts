import type { Line } from "../agent-api/line";
import type { ChatChunk } from "../chat/chat-message";

const CLOSED: Record<string, string> = {
	aborted: "It was stopped.",
	expired: "Nobody answered in time.",
	recovered: "The server was restarted, and asks again if it still needs it.",
	superseded: "A new message came instead.",
};

/** What became of a request to the page. */
export function outcomeOf(event: Line, toolCallId: string): ChatChunk {
	if (event.type === "request_closed") {
		const errorText = CLOSED[String(event.reason)] ?? "Its turn ended first.";
		return { type: "tool-output-error", toolCallId, errorText };
	}
	const { type, message, fields, report } = (event.response ?? {}) as Partial<Line>;
	if (type === "error_response") {
		const errorText = typeof message === "string" ? message : "The page failed.";
		return { type: "tool-output-error", toolCallId, errorText };
	}
	const output = fields !== undefined ? { fields } : { report };
	return { type: "tool-output-available", toolCallId, output };
}
