import { isBatonError } from "@baton/session";
import { AgentFailure, type TurnStats } from "../agent";

/** How a turn ended: what its `result` and its transcript row say. */
export type TurnEnd =
	| ({ status: "success" } & TurnStats)
	| { status: "aborted" | "dropped" }
	| { status: "error"; error: { type: string; message: string; retryable: boolean } };

/** Longer reasons are cut: the end of a turn must not depend on what an agent has to say. */
const MAX_REASON = 4_000;

export function failed(type: string, message: string, retryable = false): TurnEnd {
	const cut = message.length > MAX_REASON ? `${message.slice(0, MAX_REASON)} … (cut)` : message;
	return { status: "error", error: { type, message: cut, retryable } };
}

/** A turn that was stopped because it took too long. */
export function overTime(turnMs: number): TurnEnd {
	const minutes = Math.round(turnMs / 60_000);
	return failed("timeout", `The turn took longer than ${minutes} minutes and was stopped.`, true);
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
