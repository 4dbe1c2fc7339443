import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import { type Part, request, runTool, shownText } from "./page";

interface ToolRun {
	toolCallId: string;
	toolName: string;
	output: object;
}

const MAX_REQUESTS = 40;

/**
 * A page's side of one turn, through kills: it sends its message, runs each tool once, and attaches
 * whenever an answer breaks off. Resolves to the text that it shows in the end.
 */
export async function converse(
	chatId: string,
	message: string,
	urls: { next(): string; isDown(): Promise<void> },
	onPart?: (part: Part, index: number) => void,
): Promise<{ text: string; tools: ToolRun[]; requests: number; resumes: string[] }> {
	const tools = new Map<string, ToolRun>();
	const resumes: string[] = [];
	let shown: Part[] = [];
	let attach = false;
	for (let requests = 1; requests <= MAX_REQUESTS; requests++) {
		const prompt = promptOf(message, shownText(shown), [...tools.values()]);
		const giselle = { chatId, ...(attach && { attach }) };
		const leg = await request(urls.next(), { prompt, giselle }, onPart);
		const last = leg.parts.at(-1);
		if (last?.type === "refused" && last.code === "nothing_to_attach") {
			// The message never got through: it is sent again.
			attach = false;
			continue;
		}
		if (!leg.isWhole || last?.type !== "finish" || last.finishReason.unified === "error") {
			await urls.isDown();
			attach = true;
			continue;
		}
		resumes.push(String(last.providerMetadata?.giselle?.resume));
		// A replay is the whole turn: it takes the place of what was shown.
		shown = attach ? leg.parts : [...shown, ...leg.parts];
		attach = false;
		if (last.finishReason.unified !== "tool-calls") {
			return { text: shownText(shown), tools: [...tools.values()], requests, resumes };
		}
		for (const part of leg.parts) {
			if (part.type !== "tool-call" || part.providerExecuted) continue;
			const { toolCallId, toolName } = part;
			if (!tools.has(toolCallId)) {
				tools.set(toolCallId, { toolCallId, toolName, output: runTool(toolName) });
			}
		}
	}
	throw new Error(`The turn did not end within ${MAX_REQUESTS} requests.`);
}

function promptOf(message: string, text: string, tools: ToolRun[]): LanguageModelV3Prompt {
	const prompt: LanguageModelV3Prompt = [
		{ role: "user", content: [{ type: "text", text: message }] },
	];
	if (tools.length === 0) return prompt;
	const calls = tools.map(({ toolCallId, toolName }) => {
		return { type: "tool-call" as const, toolCallId, toolName, input: {} };
	});
	prompt.push({ role: "assistant", content: [{ type: "text", text }, ...calls] });
	const content = tools.map(({ toolCallId, toolName, output }) => {
		const value = { type: "json" as const, value: output as never };
		return { type: "tool-result" as const, toolCallId, toolName, output: value };
	});
	prompt.push({ role: "tool", content });
	return prompt;
}
