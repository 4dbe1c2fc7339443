import { AgentFailure } from "../agent";

/** Providers that a model can come from, with the variables that their settings are known by. */
export const MODEL_PROVIDERS = {
	anthropic: { keyVariable: "ANTHROPIC_API_KEY", baseUrlVariable: "ANTHROPIC_BASE_URL" },
	openai: { keyVariable: "OPENAI_API_KEY", baseUrlVariable: "OPENAI_BASE_URL" },
	google: {
		keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
		baseUrlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
	},
	"openai-compatible": {
		keyVariable: "OPENAI_COMPATIBLE_API_KEY",
		baseUrlVariable: "OPENAI_COMPATIBLE_BASE_URL",
	},
} as const;

export type ModelProvider = keyof typeof MODEL_PROVIDERS;

export interface ModelReference {
	provider: ModelProvider;
	/** As the provider names it; it may have slashes of its own. */
	modelId: string;
}

/** Reads `provider/model`. */
export function parseModelReference(reference: string): ModelReference {
	const slash = reference.indexOf("/");
	const provider = reference.slice(0, slash);
	const modelId = reference.slice(slash + 1);
	if (slash < 1 || modelId === "" || !Object.hasOwn(MODEL_PROVIDERS, provider)) {
		const known = Object.keys(MODEL_PROVIDERS).join(", ");
		throw new AgentFailure(
			"bad_model",
			`"${reference}" is no model: write provider/model, with one of the providers ${known}.`,
		);
	}
	return { provider: provider as ModelProvider, modelId };
}
