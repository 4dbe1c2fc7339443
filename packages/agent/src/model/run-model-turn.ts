import { type FinishReason, type LanguageModelUsage, stepCountIs, streamText } from "ai";
import { type AgentEvent, AgentFailure, type Turn, type TurnStats } from "../agent";
import { createRedactor } from "../redact";
import { browserTools } from "./browser-tools";
import { loadModel } from "./load-model";
import { mapPart, mapUsage } from "./map-part";
import type { ModelAgentOptions } from "./model-agent-options";
import { toModelFailure } from "./model-failure";
import { modelMessages } from "./model-messages";
import { parseModelReference } from "./model-reference";
import { ToolGate } from "./tool-gate";

/** One turn of a model: its stream as events. */
export async function* runModelTurn(
	reference: string,
	options: ModelAgentOptions,
	turn: Turn,
): AsyncGenerator<AgentEvent, TurnStats | undefined, undefined> {
	const started = performance.now();
	const parsed = parseModelReference(reference);
	const model = await loadModel(parsed, options);
	const redact = createRedactor([options.keys?.[parsed.provider]]);
	const gate = new ToolGate();
	turn.announce({ model: parsed.modelId });
	const { fullStream } = streamText({
		model,
		system: options.system,
		messages: modelMessages(await turn.history(), turn.input, options.maxHistory ?? 200),
		tools: options.browserTools === false ? undefined : browserTools(turn, (id) => gate.wait(id)),
		stopWhen: stepCountIs(options.maxSteps ?? 20),
		maxRetries: options.maxRetries ?? 2,
		abortSignal: turn.signal,
		// Errors come as parts of the stream; without this they are also printed.
		onError: () => {},
	});

	let end: { reason: FinishReason; raw?: string; usage: LanguageModelUsage } | undefined;
	let toolCalls = 0;
	let silent = true;
	try {
		for await (const part of fullStream) {
			if (part.type === "error") throw part.error;
			if (part.type === "finish") {
				end = { reason: part.finishReason, raw: part.rawFinishReason, usage: part.totalUsage };
			}
			const event = mapPart(part);
			if (!event) continue;
			silent = false;
			yield event;
			if (part.type !== "tool-call") continue;
			toolCalls++;
			gate.open(part.toolCallId);
		}
	} catch (error) {
		if (turn.signal.aborted) return undefined;
		throw toModelFailure(error, reference, redact);
	}
	if (turn.signal.aborted) return undefined;
	// An end without the provider's own reason is no end: the connection broke off.
	if (!end || (end.reason === "other" && end.raw === undefined)) {
		throw new AgentFailure("cut_off", `${reference} broke off in the middle of its answer.`, {
			retryable: true,
		});
	}
	if (silent || end.reason === "error") {
		const reason = end.raw ?? end.reason;
		throw new AgentFailure("no_answer", `${reference} gave no answer (${reason}).`, {
			retryable: true,
		});
	}
	const stats = { ...mapUsage(end.usage), tool_calls: toolCalls };
	const duration_ms = Math.round(performance.now() - started);
	return { stats: { ...stats, duration_ms }, ...notice(end.reason) };
}

function notice(reason: FinishReason): { notice?: string } {
	if (reason === "length") return { notice: "The answer reached the model's limit and is cut." };
	if (reason === "content-filter")
		return { notice: "The provider held back a part of the answer." };
	// The last step asked for tools: there were too many rounds of them.
	if (reason === "tool-calls") return { notice: "The model was stopped after too many steps." };
	return {};
}
