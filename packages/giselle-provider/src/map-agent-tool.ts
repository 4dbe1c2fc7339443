import type { JSONValue, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { CloudApiEvent } from "./cloud-api-event";
import type { NdjsonMapperContext } from "./mapper-context";
import { closeTextBlock } from "./text-block";

/** The agent's own tools as provider-executed dynamic ones. A call is shown once, however often told. */
export function mapAgentTool(
	event: CloudApiEvent,
	context: NdjsonMapperContext,
): LanguageModelV3StreamPart[] {
	const toolCallId = event.tool_id;
	if (!context.agentTools || typeof toolCallId !== "string") return [];
	context.toolNames ??= new Map();
	const parts: LanguageModelV3StreamPart[] = [];
	if (event.type === "tool_use") {
		if (context.toolNames.has(toolCallId)) return [];
		const toolName = typeof event.tool_name === "string" ? event.tool_name : "tool";
		context.toolNames.set(toolCallId, toolName);
		closeTextBlock(context, parts);
		const input = JSON.stringify(event.parameters ?? {});
		const kind = { providerExecuted: true, dynamic: true };
		parts.push({ type: "tool-call", toolCallId, toolName, input, ...kind });
		return parts;
	}
	const toolName = context.toolNames.get(toolCallId);
	// Without its call, or for the second time: nothing that a reader could make sense of.
	if (!toolName) return [];
	context.toolNames.set(toolCallId, "");
	const isError = event.status === "error";
	const result = ((isError ? event.error : event.output) ?? event.output ?? "") as JSONValue;
	parts.push({
		type: "tool-result",
		toolCallId,
		toolName,
		result: result ?? "",
		...(isError && { isError }),
		dynamic: true,
	});
	return parts;
}
