/** The call of a tool, as `useChat` hands it to `onToolCall`. */
export interface ToolCall {
	toolCallId: string;
	toolName: string;
	input: unknown;
}

/** What a tool came to, as `addToolOutput` takes it. */
export type ToolOutput = { tool: string; toolCallId: string } & (
	| { state: "output-available"; output: unknown }
	| { state: "output-error"; errorText: string }
);

/** What is used of `useChat`'s result, of any version that has `addToolOutput`. */
export interface ChatLike {
	readonly status: string;
	readonly messages: readonly { readonly role: string; readonly parts: readonly object[] }[];
	addToolOutput(output: ToolOutput): unknown;
}

const TOOLS = new Set(["getFormSnapshot", "executeFormActions"]);

export function isBrowserTool(toolName: string): boolean {
	return TOOLS.has(toolName);
}

/** Reading changes nothing, so it may be done again where acting may not. */
export function isReading(toolName: string): boolean {
	return toolName === "getFormSnapshot";
}

/** A call in the last message of the assistant, and whether it waits for its output. */
export interface SeenCall extends ToolCall {
	pending: boolean;
}

/** The calls of our tools in the last message. Older ones that were never answered are history. */
export function callsIn(messages: ChatLike["messages"]): SeenCall[] {
	const last = messages.at(-1);
	if (last?.role !== "assistant") return [];
	return last.parts.flatMap((part) => {
		const { type, toolCallId, state, input } = part as Record<string, unknown>;
		const toolName = String(type).replace(/^tool-/, "");
		if (!isBrowserTool(toolName) || typeof toolCallId !== "string") return [];
		if (state === "input-streaming") return [];
		return [{ toolCallId, toolName, input, pending: state === "input-available" }];
	});
}
