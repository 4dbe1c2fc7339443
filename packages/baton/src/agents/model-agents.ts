import {
	createModelAgent,
	MODEL_PROVIDERS,
	type ModelProvider,
	parseModelReference,
} from "@baton/agent/model";
import type { Config } from "../config/config";
import type { AgentKind } from "./agent-kind";

const PROVIDERS = Object.keys(MODEL_PROVIDERS) as ModelProvider[];

/** Agents that are models, by `provider/model`. */
export function modelAgents({ environment }: Config): AgentKind {
	const valuesOf = (variable: "keyVariable" | "baseUrlVariable") =>
		Object.fromEntries(
			PROVIDERS.map((provider) => [provider, environment[MODEL_PROVIDERS[provider][variable]]]),
		);
	const options = { keys: valuesOf("keyVariable"), baseUrls: valuesOf("baseUrlVariable") };
	return {
		names: PROVIDERS.map((provider) => `${provider}/…`),
		find(name) {
			const provider = providerOf(name);
			if (!provider) return null;
			const variable = requiredVariable(provider);
			const isSet = Boolean(environment[variable]);
			return { agent: createModelAgent(name, options), requires: { variable, isSet } };
		},
	};
}

function providerOf(name: string): ModelProvider | null {
	try {
		return parseModelReference(name).provider;
	} catch {
		return null;
	}
}

/** A server of one's own is found by its address, and often wants no key. */
function requiredVariable(provider: ModelProvider): string {
	const { keyVariable, baseUrlVariable } = MODEL_PROVIDERS[provider];
	return provider === "openai-compatible" ? baseUrlVariable : keyVariable;
}
