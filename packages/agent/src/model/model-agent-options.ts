import type { ProviderSettings } from "./load-model";

export interface ModelAgentOptions extends ProviderSettings {
	system?: string;
	/** Whether the model may read and fill the form in the person's page. Default true. */
	browserTools?: boolean;
	/** Messages of the conversation that the model gets at most. Default 200. */
	maxHistory?: number;
	/** Model calls in one turn at most: each round of tools is one. Default 20. */
	maxSteps?: number;
	/** Tries after the first, when the provider is busy. Default 2. */
	maxRetries?: number;
}
