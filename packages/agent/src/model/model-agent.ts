import type { Agent, Turn } from "../agent";
import type { ProviderSettings } from "./load-model";
import { parseModelReference } from "./model-reference";

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

/** An agent that is a model, by `provider/model`. It throws at once when that names no model. */
export function createModelAgent(reference: string, options: ModelAgentOptions = {}): Agent {
	parseModelReference(reference);
	return {
		name: reference,
		recovery: "retry",
		async *run(turn: Turn) {
			// Loaded when it is needed: whoever runs another agent does not pay for the AI SDK.
			const { runModelTurn } = await import("./run-model-turn");
			return yield* runModelTurn(reference, options, turn);
		},
	};
}
