export type { ProviderSettings } from "./load-model";
export { createModelAgent, type ModelAgentOptions } from "./model-agent";
export {
	MODEL_PROVIDERS,
	type ModelProvider,
	type ModelReference,
	parseModelReference,
} from "./model-reference";
