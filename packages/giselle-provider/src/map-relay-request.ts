import type { LanguageModelV3ToolCall } from "@ai-sdk/provider";
import type { ExecuteRequestEvent, SnapshotRequestEvent } from "@baton/protocol";
import type { CloudApiEvent } from "./cloud-api-event";

/** The tool of the page that serves each kind of request. */
const TOOL_OF: Readonly<Record<string, string>> = {
	snapshot_request: "getFormSnapshot",
	execute_request: "executeFormActions",
} satisfies Record<(SnapshotRequestEvent | ExecuteRequestEvent)["type"], string>;

export function isRelayRequest(event: CloudApiEvent): event is CloudApiEvent & {
	requestId: string;
} {
	return (
		typeof event.type === "string" &&
		Object.hasOwn(TOOL_OF, event.type) &&
		typeof event.requestId === "string" &&
		event.requestId !== ""
	);
}

/** A request as the call of a tool in the page; the request's id is the call's. */
export function relayToolCall(event: CloudApiEvent & { requestId: string }) {
	const { requestId: toolCallId, instruction, document, actions, fields } = event;
	const toolName = TOOL_OF[event.type ?? ""] ?? "unknown";
	const input = JSON.stringify(
		event.type === "snapshot_request" ? { instruction, document } : { actions, fields },
	);
	return { type: "tool-call", toolCallId, toolName, input } satisfies LanguageModelV3ToolCall;
}
