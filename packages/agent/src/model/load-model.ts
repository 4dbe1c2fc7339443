import type { LanguageModel } from "ai";
import { AgentFailure } from "../agent";
import { MODEL_PROVIDERS, type ModelProvider, type ModelReference } from "./model-reference";

export interface ProviderSettings {
	keys?: Partial<Record<ModelProvider, string>>;
	baseUrls?: Partial<Record<ModelProvider, string>>;
	/** Instead of the global one. */
	fetch?: typeof globalThis.fetch;
}

/**
 * The model itself. Keys are given, never looked up: without one this fails and says which, and no
 * other model takes its place. A provider's package is loaded when it is first used.
 */
export async function loadModel(
	{ provider, modelId }: ModelReference,
	{ keys = {}, baseUrls = {}, fetch }: ProviderSettings,
): Promise<LanguageModel> {
	const apiKey = keys[provider] || undefined;
	const baseURL = baseUrls[provider] || undefined;
	const { keyVariable, baseUrlVariable } = MODEL_PROVIDERS[provider];
	if (provider === "openai-compatible") {
		if (!baseURL) throw missing("missing_base_url", `an address: set ${baseUrlVariable}`);
		const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
		// Local servers often want no key. Without this, usage is not told in streams.
		const settings = { name: provider, baseURL, apiKey, fetch, includeUsage: true };
		return createOpenAICompatible(settings)(modelId);
	}
	if (!apiKey) throw missing("missing_key", `a key: set ${keyVariable}`);
	const settings = { apiKey, baseURL, fetch };
	switch (provider) {
		case "anthropic":
			return (await import("@ai-sdk/anthropic")).createAnthropic(settings)(modelId);
		case "openai":
			return (await import("@ai-sdk/openai")).createOpenAI(settings)(modelId);
		case "google":
			return (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(modelId);
	}

	function missing(type: string, what: string): AgentFailure {
		return new AgentFailure(type, `The model ${provider}/${modelId} needs ${what}.`);
	}
}
