import type {
	LanguageModelV3CallOptions,
	LanguageModelV3Prompt,
	SharedV3Warning,
} from "@ai-sdk/provider";
import { GiselleError } from "./giselle-error";
import type { GiselleCallOptions } from "./types";

const MAX_ID = 256;
const PAGE_TOOLS = new Set(["getFormSnapshot", "executeFormActions"]);

/** Settings of a model that an agent behind an API does not take. */
const UNSUPPORTED = [
	"maxOutputTokens",
	"temperature",
	"stopSequences",
	"topP",
	"topK",
	"presencePenalty",
	"frequencyPenalty",
	"seed",
] as const;

/** `providerOptions.giselle`, checked: ids become keys of a store. */
export function readCallOptions(options: LanguageModelV3CallOptions): GiselleCallOptions {
	const given = options.providerOptions?.giselle ?? {};
	return {
		sessionId: idOf(given, "sessionId"),
		chatId: idOf(given, "chatId"),
		idempotencyKey: idOf(given, "idempotencyKey"),
		agentSessionId: idOf(given, "agentSessionId"),
		claimId: idOf(given, "claimId"),
		attach: given.attach === true,
	};
}

function idOf(given: Record<string, unknown>, name: string): string | undefined {
	const value = given[name];
	if (value === undefined || value === null) return undefined;
	if (typeof value === "string" && value !== "" && value.length <= MAX_ID) return value;
	throw new GiselleError(
		"invalid_call",
		`providerOptions.giselle.${name} must be a text of 1 to ${MAX_ID} characters.`,
	);
}

/** What the call asks for and the agent API has no place for. */
export function warningsOf(options: LanguageModelV3CallOptions): SharedV3Warning[] {
	const warnings: SharedV3Warning[] = UNSUPPORTED.filter(
		(feature) => options[feature] !== undefined,
	).map((feature) => ({ type: "unsupported", feature }));
	if (options.responseFormat?.type === "json") {
		warnings.push({ type: "unsupported", feature: "responseFormat" });
	}
	for (const { name } of options.tools ?? []) {
		if (!PAGE_TOOLS.has(name)) warnings.push({ type: "unsupported", feature: `tool ${name}` });
	}
	if (hasInstructions(options.prompt)) {
		const message = "The agent has its own instructions: the system prompt was not sent.";
		warnings.push({ type: "other", message });
	}
	if (hasFiles(options.prompt)) warnings.push({ type: "unsupported", feature: "file parts" });
	return warnings;
}

function hasInstructions(prompt: LanguageModelV3Prompt): boolean {
	return prompt.some(({ role }) => role === "system");
}

function hasFiles(prompt: LanguageModelV3Prompt): boolean {
	const last = prompt.findLast(({ role }) => role === "user");
	return last?.role === "user" && last.content.some(({ type }) => type === "file");
}
