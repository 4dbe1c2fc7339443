import { AISDKError } from "@ai-sdk/provider";

/** What can go wrong in the provider itself. HTTP refusals are the AI SDK's `APICallError`. */
export type GiselleErrorCode =
	| "session_expired" // the run is no longer kept
	| "resume_conflict" // another resume has taken the pending request
	| "nothing_to_attach" // the chat has no turn that could be replayed
	| "invalid_call" // the prompt or the options make no sense together
	| "truncated" // the stream ended before the turn did
	| "agent_failed" // the agent says that it failed
	| "relay_refused" // the relay did not take an answer
	| "store_failed"; // the session store cannot be reached

/** An error of the provider, with a code for programs and words for people. */
export class GiselleError extends AISDKError {
	readonly code: GiselleErrorCode;
	/** Whether the same call may succeed later. */
	readonly retryable: boolean;

	constructor(
		code: GiselleErrorCode,
		message: string,
		{ retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {},
	) {
		super({ name: "GiselleError", message, cause });
		this.code = code;
		this.retryable = retryable;
	}
}
