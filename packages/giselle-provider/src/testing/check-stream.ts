import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { checkUsage } from "./check-usage";

/** A rule of the V3 stream grammar that a part breaks. */
export interface StreamProblem {
	/** Index of the part; the number of parts when something is missing at the end. */
	index: number;
	message: string;
}

const REASONS = new Set(["stop", "length", "content-filter", "tool-calls", "error", "other"]);
const BLOCKS = ["text", "reasoning", "tool-input"] as const;
const OTHERS = new Set(["file", "source", "raw", "error", "tool-approval-request"]);

/**
 * Checks the parts of one `doStream` against the grammar of V3 streams:
 *
 * - `stream-start`, if there is one, is the first part;
 * - every text, reasoning and tool-input id is opened once, closed once, and has its deltas between;
 * - a tool call has an id of its own and JSON as input, the same that its deltas gave;
 * - a tool result follows its call, which was executed by the provider, and comes once;
 * - there is exactly one `finish`, with complete usage and a known reason, and nothing after it;
 * - `tool-calls` as reason means that there is a call for the client.
 *
 * Returns every problem; none: the stream is well formed.
 */
export function checkStream(parts: readonly LanguageModelV3StreamPart[]): StreamProblem[] {
	const problems: StreamProblem[] = [];
	const blocks = new Map<string, { isOpen: boolean; text: string }>();
	const calls = new Map<string, { providerExecuted: boolean; hasResult: boolean }>();
	let finished = false;
	let index = 0;
	const say = (message: string) => problems.push({ index, message });

	for (; index < parts.length; index++) {
		const part = parts[index]!;
		if (finished) say(`${part.type} after finish`);
		const kind = BLOCKS.find((name) => part.type.startsWith(`${name}-`));
		if (kind) checkBlock(kind, part as BlockPart);
		else checkPart(part);
	}
	for (const [key, { isOpen }] of blocks) if (isOpen) say(`${key} is never closed`);
	if (!finished) say("there is no finish");
	return problems;

	function checkBlock(kind: string, part: BlockPart): void {
		const key = `${kind} ${part.id}`;
		const block = blocks.get(key);
		if (part.type.endsWith("-start")) {
			if (block) say(`${key} is opened again`);
			if (typeof part.id !== "string" || part.id === "") say(`${part.type} has no id`);
			blocks.set(key, { isOpen: true, text: "" });
			return;
		}
		if (!block?.isOpen) return void say(`${part.type} of ${key}, which is not open`);
		if (part.type.endsWith("-end")) block.isOpen = false;
		else if (typeof part.delta !== "string") say(`${part.type} has no delta`);
		else block.text += part.delta;
	}

	function checkPart(part: LanguageModelV3StreamPart): void {
		switch (part.type) {
			case "stream-start":
				if (index > 0) say("stream-start is not the first part");
				return;
			case "response-metadata":
				return;
			case "tool-call":
				checkCall(part);
				return;
			case "tool-result": {
				const call = calls.get(part.toolCallId);
				if (!call) return void say(`result of ${part.toolCallId}, which was not called`);
				if (!call.providerExecuted) say(`result of ${part.toolCallId}, which the client runs`);
				if (call.hasResult) say(`second result of ${part.toolCallId}`);
				call.hasResult = !part.preliminary;
				return;
			}
			case "finish":
				checkFinish(part);
				return;
			default:
				if (!OTHERS.has(part.type)) say(`unknown part ${part.type}`);
		}
	}

	function checkCall(part: LanguageModelV3StreamPart & { type: "tool-call" }): void {
		const { toolCallId: id, toolName, input, providerExecuted = false } = part;
		if (calls.has(id)) say(`${id} is called again`);
		if (id === "" || toolName === "") say("tool-call without id or name");
		calls.set(id, { providerExecuted, hasResult: false });
		if (!isJson(input)) say(`input of ${id} is not JSON`);
		const streamed = blocks.get(`tool-input ${id}`);
		if (streamed?.isOpen) say(`${id} is called before its input ends`);
		if (streamed && streamed.text !== input) say(`input of ${id} differs from its deltas`);
	}

	function checkFinish(part: LanguageModelV3StreamPart & { type: "finish" }): void {
		finished = true;
		for (const [key, block] of blocks) {
			if (block.isOpen) say(`finish while ${key} is open`);
			block.isOpen = false;
		}
		const { unified, raw } = part.finishReason;
		if (!REASONS.has(unified)) say(`unknown finish reason ${unified}`);
		if (raw !== undefined && typeof raw !== "string") say("the raw finish reason is no text");
		const isForClient = [...calls.values()].some(({ providerExecuted }) => !providerExecuted);
		if (unified === "tool-calls" && !isForClient) say("tool-calls, but none for the client");
		for (const message of checkUsage(part.usage)) say(message);
	}
}

interface BlockPart {
	type: string;
	id: string;
	delta?: string;
}

function isJson(text: unknown): boolean {
	try {
		JSON.parse(text as string);
		return typeof text === "string";
	} catch {
		return false;
	}
}
