import type { JSONValue, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { relayToolCall } from "./map-relay-request";
import { type CloudApiEvent, mapNdjsonEvent, type NdjsonMapperContext } from "./ndjson-mapper";
import { closeTextBlock } from "./text-block";

type RequestEvent = CloudApiEvent & { requestId: string };

/**
 * Requests of the agent that this step may pause for. They are held back for a moment: others may
 * join them, and in a replay their answer may follow at once.
 */
export class OpenRequests {
	readonly #open = new Map<string, RequestEvent>();
	/** Shown in this stream already, or answered by it. */
	readonly #known: Set<string>;

	constructor(known: Iterable<string> = []) {
		this.#known = new Set(known);
	}

	get ids(): string[] {
		return [...this.#open.keys()];
	}

	get isEmpty(): boolean {
		return this.#open.size === 0;
	}

	/** Takes a request, unless it is one that was dealt with. */
	add(event: RequestEvent): void {
		if (!this.#known.has(event.requestId)) this.#open.set(event.requestId, event);
	}

	/**
	 * A request that is over without this step's doing, as parts: the call and its outcome, done by
	 * the provider. Nothing for a request that is not held.
	 */
	settle(event: CloudApiEvent, context: NdjsonMapperContext): LanguageModelV3StreamPart[] {
		const id = typeof event.requestId === "string" ? event.requestId : "";
		const request = this.#open.get(id);
		if (!request) return [];
		this.#open.delete(id);
		this.#known.add(id);
		const parts: LanguageModelV3StreamPart[] = [];
		closeTextBlock(context, parts);
		context.sawContent = true;
		const call = relayToolCall(request);
		parts.push(
			{ ...call, providerExecuted: true },
			{ type: "tool-result", toolCallId: id, toolName: call.toolName, ...outcomeOf(event) },
		);
		return parts;
	}

	/** Every held request as a tool call, for the end of the step. */
	takeCalls(context: NdjsonMapperContext): LanguageModelV3StreamPart[] {
		const parts: LanguageModelV3StreamPart[] = [];
		for (const [id, event] of this.#open) {
			// Several requests are one step: its one `finish` comes after all of them.
			const mapped = mapNdjsonEvent(event, context).parts;
			parts.push(...mapped.filter(({ type }) => type !== "finish"));
			this.#known.add(id);
		}
		this.#open.clear();
		return parts;
	}
}

function outcomeOf(event: CloudApiEvent): { result: NonNullable<JSONValue>; isError?: boolean } {
	if (event.type === "request_closed") {
		return { result: `The request was closed: ${String(event.reason)}.`, isError: true };
	}
	const response = (event.response ?? {}) as Record<string, JSONValue | undefined>;
	if (response.type === "error_response") {
		return { result: response.message ?? "The page failed.", isError: true };
	}
	const { fields, report } = response;
	return { result: fields !== undefined ? { fields } : { report: report ?? {} } };
}
