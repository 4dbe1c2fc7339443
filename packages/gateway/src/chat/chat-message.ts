import type { TranscriptRow } from "@baton/agent";
import type { LogEntry } from "@baton/session";
import { toTranscriptEvent } from "../sessions/transcript";

/** A message of a conversation, as clients are told. */
export interface ChatMessage {
	role: "user" | "assistant" | "tool_result";
	content: string;
	timestamp: number;
	runId?: string;
	toolName?: string;
	/** How its turn ended, where that was not well. */
	status?: "error" | "aborted";
	error?: string;
}

/** Rows of a transcript as messages. What is no row is left out. */
export function toMessages(entries: readonly LogEntry[]): ChatMessage[] {
	return entries.flatMap((entry) => toMessage(entry) ?? []);
}

function toMessage(entry: LogEntry): ChatMessage | null {
	const row = toTranscriptEvent(entry.event);
	if (!row) return null;
	const { role, content, timestamp, runId, toolName } = row;
	const { status, error } = entry.event as TranscriptRow;
	return {
		role,
		content,
		timestamp,
		...(runId !== undefined && { runId }),
		...(toolName !== undefined && { toolName }),
		...((status === "error" || status === "aborted") && { status }),
		...(typeof error === "string" && { error }),
	};
}
