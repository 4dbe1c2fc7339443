import type { LanguageModelUsage, TextStreamPart, ToolSet } from "ai";
import type { AgentEvent } from "../agent";

/** The event that a part of the model's stream is, if it is one. */
export function mapPart(part: TextStreamPart<ToolSet>): AgentEvent | null {
	switch (part.type) {
		case "text-delta":
			return { type: "message", role: "assistant", content: part.text, delta: true };
		case "tool-call": {
			const parameters = isObject(part.input) ? part.input : { input: part.input };
			return { type: "tool_use", tool_id: part.toolCallId, tool_name: part.toolName, parameters };
		}
		case "tool-result":
			return {
				type: "tool_result",
				tool_id: part.toolCallId,
				status: "success",
				output: part.output,
			};
		case "tool-error": {
			const message = part.error instanceof Error ? part.error.message : String(part.error);
			return { type: "tool_result", tool_id: part.toolCallId, status: "error", error: { message } };
		}
		default:
			return null;
	}
}

/** The tokens of a turn, as the provider counted them. What it did not tell is left out. */
export function mapUsage(usage: LanguageModelUsage): Record<string, number> {
	const { inputTokens, outputTokens, totalTokens, inputTokenDetails, outputTokenDetails } = usage;
	const counts = {
		total_tokens: totalTokens,
		input_tokens: inputTokens,
		output_tokens: outputTokens,
		cached: inputTokenDetails?.cacheReadTokens,
		input: inputTokenDetails?.noCacheTokens,
		reasoning_tokens: outputTokenDetails?.reasoningTokens,
	};
	return Object.fromEntries(
		Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined),
	);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
