import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import {
	type CloudApiEvent,
	type MapResult,
	mapNdjsonEvent,
	type NdjsonMapperContext,
} from "./ndjson-mapper";
import type { Said } from "./said";
import { closeTextBlock } from "./text-block";

/** `mapNdjsonEvent`, and what a turn that was recovered or lost its log needs beyond it. */
export function mapTurnEvent(
	event: CloudApiEvent,
	context: NdjsonMapperContext,
	said: Said,
): MapResult {
	switch (event.type) {
		case "message":
			return mapSaid(event, context, said);
		case "retract":
			said.retract();
			return { parts: [] };
		case "reset":
			return mapReset(event, context, said);
		default:
			return mapNdjsonEvent(event, context);
	}
}

function mapSaid(event: CloudApiEvent, context: NdjsonMapperContext, said: Said): MapResult {
	const { role, content } = event;
	if (role !== "assistant" || typeof content !== "string") return { parts: [] };
	if (!said.isRepeating) {
		said.add(content);
		return mapNdjsonEvent(event, context);
	}
	const fresh = said.fresh(content);
	if (fresh.kind === "repeat") return { parts: [] };
	const parts: LanguageModelV3StreamPart[] = [];
	if (fresh.kind === "other") closeTextBlock(context, parts);
	for (const part of mapNdjsonEvent({ ...event, content: fresh.text }, context).parts) {
		// What was shown before is not the agent's word any more: a page can leave it out.
		const giselle = { retracted: true };
		const isNew = fresh.kind === "other" && part.type === "text-start";
		parts.push(isNew ? { ...part, providerMetadata: { giselle } } : part);
	}
	return { parts };
}

/** The log was trimmed: of the conversation that comes instead, what this turn's agent said. */
function mapReset(event: CloudApiEvent, context: NdjsonMapperContext, said: Said): MapResult {
	const messages = Array.isArray(event.messages) ? (event.messages as CloudApiEvent[]) : [];
	const since = messages.findLastIndex(({ role }) => role === "user") + 1;
	said.retract();
	const parts: LanguageModelV3StreamPart[] = [];
	for (const { role, content } of messages.slice(since)) {
		const message = { type: "message", role, content, delta: true };
		parts.push(...mapSaid(message, context, said).parts);
	}
	return { parts };
}
