import type {
	JSONValue,
	LanguageModelV3Prompt,
	LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";

export interface ToolResult {
	toolName: string;
	toolCallId: string;
	result: unknown;
}

/** What a page's tool came to when it was no result: an error, or the person's refusal. */
export class ToolFailure {
	readonly message: string;
	readonly code: "failed" | "denied";

	constructor(message: string, code: "failed" | "denied" = "failed") {
		this.message = message;
		this.code = code;
	}
}

/** The text of the last message of the user. */
export function extractUserMessage(prompt: LanguageModelV3Prompt): string {
	const message = prompt.findLast(({ role }) => role === "user");
	if (message?.role !== "user") return "";
	return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Every tool result in the prompt, in order. A failed tool's result is a `ToolFailure`. */
export function extractToolResults(prompt: LanguageModelV3Prompt): ToolResult[] {
	const results: ToolResult[] = [];
	for (const message of prompt) {
		if (message.role !== "tool") continue;
		for (const part of message.content) {
			if (part.type !== "tool-result") continue;
			const { toolName, toolCallId, output } = part;
			results.push({ toolName, toolCallId, result: unwrap(output) });
		}
	}
	return results;
}

/** Whether the prompt's last word is the user's, rather than a tool's. */
export function endsWithUserMessage(prompt: LanguageModelV3Prompt): boolean {
	return prompt.findLast(({ role }) => role !== "system")?.role === "user";
}

/** What the assistant has said since the last message of the user: what the caller shows already. */
export function extractSaid(prompt: LanguageModelV3Prompt): string {
	const since = prompt.findLastIndex(({ role }) => role === "user") + 1;
	let said = "";
	for (const message of prompt.slice(since)) {
		if (message.role !== "assistant") continue;
		for (const part of message.content) if (part.type === "text") said += part.text;
	}
	return said;
}

function unwrap(output: LanguageModelV3ToolResultOutput): unknown {
	switch (output.type) {
		case "json":
			return output.value;
		case "text":
			return parsed(output.value);
		case "error-text":
			return new ToolFailure(output.value);
		case "error-json":
			return new ToolFailure(wordsOf(output.value));
		case "execution-denied":
			return new ToolFailure(output.reason ?? "The person refused.", "denied");
		case "content": {
			const texts = output.value.map((part) => (part.type === "text" ? part.text : ""));
			return parsed(texts.join(""));
		}
	}
}

/** A tool that returns JSON as text means the JSON. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function wordsOf(value: JSONValue): string {
	if (typeof value === "string") return value;
	const message = (value as { message?: unknown } | null)?.message;
	return typeof message === "string" ? message : JSON.stringify(value);
}
