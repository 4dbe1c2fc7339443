import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { checkStream } from "./check-stream";

/** Reads a stream to its end and throws unless it is well formed. */
export async function collectParts(
	stream: ReadableStream<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3StreamPart[]> {
	const parts: LanguageModelV3StreamPart[] = [];
	for await (const part of stream) parts.push(part);
	const problems = checkStream(parts);
	if (problems.length === 0) return parts;
	const list = problems.map(({ index, message }) => `part ${index}: ${message}`).join("; ");
	throw new Error(`The stream breaks the V3 grammar: ${list}`);
}

/** The text of all text blocks, joined. */
export function textOf(parts: readonly LanguageModelV3StreamPart[]): string {
	return parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
}
