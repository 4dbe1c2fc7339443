import type { LanguageModelV3Usage } from "@ai-sdk/provider";

/** Usage of a step whose tokens nobody told. */
export function noUsage(): LanguageModelV3Usage {
	return {
		inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
		outputTokens: { total: 0, text: undefined, reasoning: undefined },
	};
}

/** Usage from the `stats` of a `result`. */
export function mapUsage(stats: unknown): LanguageModelV3Usage | undefined {
	if (typeof stats !== "object" || stats === null) return undefined;
	const { input_tokens, output_tokens, cached, input } = stats as Record<string, unknown>;
	return {
		inputTokens: {
			total: count(input_tokens),
			noCache: count(input),
			cacheRead: count(cached),
			cacheWrite: undefined,
		},
		outputTokens: { total: count(output_tokens), text: undefined, reasoning: undefined },
		raw: stats as NonNullable<LanguageModelV3Usage["raw"]>,
	};
}

function count(value: unknown): number | undefined {
	return typeof value === "number" ? value : undefined;
}
