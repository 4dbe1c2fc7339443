export type { ProviderSettings } from "./load-model";
export { createModelAgent } from "./model-agent";
export type { ModelAgentOptions } from "./model-agent-options";
export {
	MODEL_PROVIDERS,
	type ModelProvider,
	type ModelReference,
	parseModelReference,
} from "./model-reference";
