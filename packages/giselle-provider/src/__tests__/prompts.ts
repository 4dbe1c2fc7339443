import type {
	LanguageModelV3Prompt,
	LanguageModelV3ToolResultOutput,
	SharedV3ProviderOptions,
} from "@ai-sdk/provider";

/** Prompts as the AI SDK makes them, for tests. */

export const user = (text: string): LanguageModelV3Prompt[number] => ({
	role: "user",
	content: [{ type: "text", text }],
});

export const said = (text: string): LanguageModelV3Prompt[number] => ({
	role: "assistant",
	content: [{ type: "text", text }],
});

export const toolResult = (
	toolCallId: string,
	output: LanguageModelV3ToolResultOutput = { type: "json", value: { fields: [] } },
	toolName = "getFormSnapshot",
): LanguageModelV3Prompt => [
	{
		role: "assistant",
		content: [{ type: "tool-call", toolCallId, toolName, input: {} }],
	},
	{ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] },
];

export const options = (giselle: Record<string, string | boolean>): SharedV3ProviderOptions => ({
	giselle,
});
