import type {
	LanguageModelV3Content,
	LanguageModelV3GenerateResult,
	LanguageModelV3StreamPart,
	LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import { GiselleError } from "./giselle-error";

/** The whole stream as one result. Rejects with the turn's error, if it failed. */
export async function collectStream({
	stream,
	request,
	response,
}: LanguageModelV3StreamResult): Promise<LanguageModelV3GenerateResult> {
	const content: LanguageModelV3Content[] = [];
	const texts = new Map<string, { type: "text"; text: string }>();
	const result: Pick<LanguageModelV3GenerateResult, "warnings" | "response"> = {
		warnings: [],
		response: { ...response },
	};
	let finish: (LanguageModelV3StreamPart & { type: "finish" }) | undefined;
	let failure: unknown;
	for await (const part of stream) {
		switch (part.type) {
			case "stream-start":
				result.warnings = part.warnings;
				break;
			case "response-metadata": {
				const { type: _, ...metadata } = part;
				Object.assign(result.response ?? {}, metadata);
				break;
			}
			case "text-start": {
				const text = { type: "text" as const, text: "" };
				texts.set(part.id, text);
				content.push(text);
				break;
			}
			case "text-delta": {
				const text = texts.get(part.id);
				if (text) text.text += part.delta;
				break;
			}
			case "tool-call":
			case "tool-result":
				content.push(part);
				break;
			case "error":
				failure = part.error;
				break;
			case "finish":
				finish = part;
		}
	}
	if (!finish || finish.finishReason.unified === "error") {
		throw failure ?? new GiselleError("truncated", "The stream ended without its last part.");
	}
	const { finishReason, usage, providerMetadata } = finish;
	return { ...result, content, finishReason, usage, providerMetadata, request };
}
