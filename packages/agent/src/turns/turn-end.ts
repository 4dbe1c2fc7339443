import { isBatonError } from "@baton/session";
import { AgentFailure, type TurnStats } from "../agent";

/** How a turn ended: what its `result` and its transcript row say. */
export type TurnEnd =
	| ({ status: "success" } & TurnStats)
	| { status: "aborted" | "dropped" }
	| { status: "error"; error: { type: string; message: string; retryable: boolean } };

export function failed(type: string, message: string, retryable = false): TurnEnd {
	return { status: "error", error: { type, message, retryable } };
}

/** What an agent threw, as the end of its turn. */
export function endOf(error: unknown): TurnEnd {
	if (error instanceof AgentFailure || (error as Error)?.name === "AgentFailure") {
		const { type, message, retryable } = error as AgentFailure;
		return failed(type, message, retryable);
	}
	if (isBatonError(error)) return failed(error.code, error.message, error.retryable);
	return failed("internal", `The agent failed: ${(error as Error)?.message ?? String(error)}`);
}
