import { parseEvent } from "@baton/protocol";
import type { AgentEvent } from "../../agent";
import type { CliSignal } from "../adapter";

/** Events of the protocol that are an agent's to say. Others on its output would be forged. */
const SAYABLE = new Set(["message", "tool_use", "tool_result", "error", "artifact"]);

/** The Gemini CLI speaks the protocol's own events; this sorts them. */
export function mapGeminiLine(line: Record<string, unknown>): CliSignal[] {
	const parsed = parseEvent(line);
	if (parsed.kind === "invalid") {
		const { type, field, message } = parsed.problem;
		return [warning(`The Gemini CLI sent ${type ?? "a line"} that is wrong: ${field} ${message}`)];
	}
	if (parsed.kind === "unknown") return [{ kind: "event", event: parsed.event }];
	const { event } = parsed;
	switch (event.type) {
		case "init":
			return [{ kind: "session", id: event.session_id, model: event.model }];
		case "message":
			// What the person said is in the log already.
			return event.role === "user" ? [] : [{ kind: "event", event }];
		case "result":
			if (event.status === "success") return [{ kind: "success", stats: event.stats }];
			return [{ kind: "failure", message: event.error?.message ?? "It gave no reason." }];
		default:
			return SAYABLE.has(event.type) ? [{ kind: "event", event }] : [];
	}
}

function warning(message: string): CliSignal {
	const event: AgentEvent = { type: "error", severity: "warning", message };
	return { kind: "event", event };
}
