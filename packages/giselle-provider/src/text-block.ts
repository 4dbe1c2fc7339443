import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { NdjsonMapperContext } from "./mapper-context";

const KEPT_CONTENT = 16 * 1024;

/**
 * Opens a block. Its id follows from the number of the line that opens it, so that a replay of the
 * same lines gives the same ids.
 */
export function openTextBlock(
	context: NdjsonMapperContext,
	seq: unknown,
	parts: LanguageModelV3StreamPart[],
): string {
	context.textBlocks = (context.textBlocks ?? 0) + 1;
	const id = `text-${typeof seq === "number" ? seq : `0-${context.textBlocks}`}`;
	context.textId = id;
	context.textBlockOpen = true;
	parts.push({ type: "text-start", id });
	return id;
}

export function closeTextBlock(
	context: NdjsonMapperContext,
	parts: LanguageModelV3StreamPart[],
): void {
	if (!context.textBlockOpen) return;
	// A context that a caller restored may have an open block without an id: it is opened here.
	const id = context.textId ?? openTextBlock(context, undefined, parts);
	parts.push({ type: "text-end", id });
	context.textBlockOpen = false;
	context.textId = undefined;
}

/** Keeps the end of a long text alone, as one flat string: a million appends would be a heap of nodes. */
export function rememberContent(context: NdjsonMapperContext, content: string): void {
	const joined = context.lastAssistantContent + content;
	context.lastAssistantContent =
		joined.length > KEPT_CONTENT * 2 ? flat(joined.slice(-KEPT_CONTENT)) : joined;
}

/** A slice keeps its whole parent in memory; a text that went through JSON stands alone. */
function flat(text: string): string {
	return JSON.parse(JSON.stringify(text)) as string;
}
