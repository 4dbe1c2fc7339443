import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { CloudApiEvent } from "./cloud-api-event";
import { GiselleError } from "./giselle-error";
import { JsonObjectScanner } from "./json-object-scanner";
import { mapAgentTool } from "./map-agent-tool";
import { failureOf } from "./map-failure";
import { isRelayRequest, relayToolCall } from "./map-relay-request";
import { mapUsage, noUsage } from "./map-usage";
import type { NdjsonMapperContext } from "./mapper-context";
import { closeTextBlock, openTextBlock, rememberContent } from "./text-block";
import type { SessionMetadata } from "./types";

export type { CloudApiEvent } from "./cloud-api-event";
export { createMapperContext, type NdjsonMapperContext } from "./mapper-context";

export type MapResult = {
	/** Parts to emit. */
	parts: LanguageModelV3StreamPart[];
	/** Session metadata to store; the caller does it. */
	sessionUpdate?: Partial<SessionMetadata>;
	/** A request to the page, which pauses the stream. */
	relayRequest?: Record<string, unknown>;
};

/** Every whole object in the buffer, and the text that the next chunk is to be appended to. */
export function extractJsonObjects(buffer: string): { objects: string[]; rest: string } {
	const scanner = new JsonObjectScanner();
	const objects = scanner.push(buffer).map(({ json }) => json);
	return { objects, rest: scanner.rest };
}

/** One event as stream parts, and what the caller has to do about it. Pure but for the context. */
export function mapNdjsonEvent(event: CloudApiEvent, context: NdjsonMapperContext): MapResult {
	switch (event.type) {
		case "message":
			return { parts: mapMessage(event, context) };
		case "init":
			return mapInit(event);
		case "sandbox":
			return {
				parts: [{ type: "response-metadata" }],
				sessionUpdate: { sandboxId: text(event.sandbox_id) },
			};
		case "relay.session":
			return {
				parts: [],
				sessionUpdate: {
					relaySessionId: text(event.sessionId),
					relayToken: text(event.token),
					relayUrl: text(event.relayUrl),
				},
			};
		case "snapshot_request":
		case "execute_request":
			return mapRequest(event, context);
		case "tool_use":
		case "tool_result": {
			const parts = mapAgentTool(event, context);
			if (parts.length > 0) context.sawContent = true;
			return { parts };
		}
		case "stderr":
			context.sawStderr = true;
			return { parts: [] };
		case "error":
		case "exit":
			return { parts: mapFailure(event, context) };
		case "result":
			return { parts: mapResult(event, context) };
		default:
			return { parts: [] };
	}
}

/** A run of events as parts, in one go. */
export function mapNdjsonToStreamParts(
	events: Iterable<CloudApiEvent>,
	context: NdjsonMapperContext,
): LanguageModelV3StreamPart[] {
	const parts: LanguageModelV3StreamPart[] = [];
	for (const event of events) parts.push(...mapNdjsonEvent(event, context).parts);
	return parts;
}

/** The last parts of a stream: the open block closed, and why it ended. */
export function finishStream(context: NdjsonMapperContext): LanguageModelV3StreamPart[] {
	const parts: LanguageModelV3StreamPart[] = [];
	closeTextBlock(context, parts);
	// Nothing but error output is a failure that must not look like an empty success.
	if (!context.failure && context.sawStderr && !context.sawContent && !context.resultStatus) {
		context.failure = new GiselleError(
			"agent_failed",
			"The agent said nothing and wrote to its error output; its server's log has it.",
		);
		parts.push({ type: "error", error: context.failure });
	}
	parts.push({
		type: "finish",
		finishReason: {
			unified: context.failure ? "error" : context.resultStatus === "aborted" ? "other" : "stop",
			raw: context.resultStatus,
		},
		usage: context.usage ?? noUsage(),
		...(context.notice && { providerMetadata: { giselle: { notice: context.notice } } }),
	});
	return parts;
}

function mapMessage(
	event: CloudApiEvent,
	context: NdjsonMapperContext,
): LanguageModelV3StreamPart[] {
	const { role, content, delta } = event;
	if (role !== "assistant" || typeof content !== "string" || content === "") return [];
	context.sawContent = true;
	if (delta === true) {
		rememberContent(context, content);
		if (context.textBlockOpen && context.textId !== undefined) {
			return [{ type: "text-delta", id: context.textId, delta: content }];
		}
		const parts: LanguageModelV3StreamPart[] = [];
		const id = openTextBlock(context, event.seq, parts);
		parts.push({ type: "text-delta", id, delta: content });
		return parts;
	}
	const parts: LanguageModelV3StreamPart[] = [];
	closeTextBlock(context, parts);
	const id = openTextBlock(context, event.seq, parts);
	parts.push({ type: "text-delta", id, delta: content });
	closeTextBlock(context, parts);
	context.lastAssistantContent = "";
	return parts;
}

function mapInit(event: CloudApiEvent): MapResult {
	// The seed says `modelId`; real agents say `model`.
	const modelId = text(event.model) ?? text(event.modelId);
	return {
		parts: [{ type: "response-metadata", ...(modelId !== undefined && { modelId }) }],
		sessionUpdate: { geminiSessionId: text(event.session_id) },
	};
}

function mapRequest(event: CloudApiEvent, context: NdjsonMapperContext): MapResult {
	const parts: LanguageModelV3StreamPart[] = [];
	if (!isRelayRequest(event)) return { parts };
	closeTextBlock(context, parts);
	context.sawContent = true;
	parts.push(relayToolCall(event), {
		type: "finish",
		finishReason: { unified: "tool-calls", raw: event.type },
		usage: noUsage(),
	});
	return {
		parts,
		relayRequest: event,
		sessionUpdate: { pendingRequestId: event.requestId },
	};
}

function mapFailure(
	event: CloudApiEvent,
	context: NdjsonMapperContext,
): LanguageModelV3StreamPart[] {
	const failure = failureOf(event);
	if (failure === null) return [];
	context.failure = failure;
	return [{ type: "error", error: failure }];
}

function mapResult(
	event: CloudApiEvent,
	context: NdjsonMapperContext,
): LanguageModelV3StreamPart[] {
	context.usage = mapUsage(event.stats) ?? context.usage;
	context.resultStatus = text(event.status);
	context.notice = text(event.notice);
	const parts = mapFailure(event, context);
	// An error on the way that the agent got over: its own word on the turn counts.
	if (parts.length === 0) context.failure = undefined;
	return parts;
}

function text(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}
