import type { Agent, Turn } from "../agent";
import type { ModelAgentOptions } from "./model-agent-options";
import { parseModelReference } from "./model-reference";

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
