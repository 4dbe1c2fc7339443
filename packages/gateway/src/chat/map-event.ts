import type { Json, JsonObject, LogEntry } from "@baton/session";
import type { ChatEvent, Usage } from "./chat-event";

/** The fields of stored events that clients are told about. */
interface StoredEvent {
	type?: string;
	run_id?: string;
	role?: string;
	content?: string;
	delta?: boolean;
	timestamp?: string | number;
	agent?: string;
	model?: string;
	tool_id?: string;
	tool_name?: string;
	status?: string;
	parameters?: Json;
	output?: Json;
	error?: { type?: string; message?: string; retryable?: boolean };
	stats?: JsonObject;
	notice?: string;
	attempt?: number;
	policy?: string;
	reason?: string;
}

type Terminal = Extract<ChatEvent, { type: "final" | "error" }>;

/**
 * An event of the log as a chat event; null where there is nothing to tell. `followsText` says
 * whether the run has said something before: a message of its own is then a new paragraph.
 */
export function mapEvent(
	sessionKey: string,
	entry: LogEntry,
	followsText: (runId: string) => boolean,
): ChatEvent | null {
	const event = entry.event as StoredEvent;
	const { run_id: runId } = event;
	if (runId === undefined) {
		return { type: "event", sessionKey, seq: entry.seq, event: entry.event };
	}
	const of = { sessionKey, runId, seq: entry.seq };
	switch (event.type) {
		case "input_admitted": {
			const { content = "", timestamp } = event;
			const time = new Date(timestamp ?? 0).getTime() || 0;
			return { type: "message", role: "user", content, timestamp: time, ...of };
		}
		case "init":
			return { type: "started", ...optional(event, "agent", "model"), ...of };
		case "message": {
			if (event.role !== "assistant") return null;
			const { content = "", delta } = event;
			const text = delta || !followsText(runId) ? content : `\n\n${content}`;
			return { type: "delta", text, ...of };
		}
		case "tool_use":
		case "tool_result":
			return {
				type: "tool",
				phase: event.type === "tool_use" ? "start" : "end",
				toolId: event.tool_id ?? "",
				...(event.tool_name !== undefined && { toolName: event.tool_name }),
				...optional(event, "status", "parameters", "output"),
				...of,
			};
		case "retract":
			return { type: "retract", ...optional(event, "reason"), ...of };
		case "recovered":
			return {
				type: "recovered",
				attempt: event.attempt ?? 0,
				policy: event.policy ?? "",
				...of,
			};
		case "result":
			return mapResult(event, of);
		default:
			return { type: "event", event: entry.event, ...of };
	}
}

function mapResult(
	event: StoredEvent,
	of: Pick<Terminal, "sessionKey" | "runId" | "seq">,
): Terminal {
	const servedBy = optional(event, "agent").agent;
	const by = servedBy !== undefined && { servedBy };
	switch (event.status) {
		case "success":
			return {
				type: "final",
				usage: usageOf(event.stats),
				...by,
				...optional(event, "notice"),
				...of,
			};
		case "aborted":
			return {
				...stopped("The answer was stopped on request; what was said is kept."),
				...by,
				...of,
			};
		case "dropped":
			return { ...stopped("The message was stopped before its turn came."), dropped: true, ...of };
		default: {
			const {
				message = "The agent failed.",
				type = "agent",
				retryable = false,
			} = event.error ?? {};
			return { type: "error", message, code: type, retryable, ...by, ...of };
		}
	}
}

function stopped(message: string) {
	return { type: "error", message, code: "aborted", retryable: false, aborted: true } as const;
}

function usageOf(stats: JsonObject = {}): Usage {
	const count = (value: Json | undefined) => (typeof value === "number" ? value : 0);
	return { inputTokens: count(stats.input_tokens), outputTokens: count(stats.output_tokens) };
}

/** Those of the fields that are there. */
function optional<K extends keyof StoredEvent>(
	event: StoredEvent,
	...names: K[]
): { [N in K]?: NonNullable<StoredEvent[N]> } {
	const found: { [N in K]?: NonNullable<StoredEvent[N]> } = {};
	for (const name of names) {
		const value = event[name];
		if (value !== undefined) found[name] = value as NonNullable<StoredEvent[K]>;
	}
	return found;
}
