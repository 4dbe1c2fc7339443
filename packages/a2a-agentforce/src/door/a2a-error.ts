import {
	A2AError,
	RequestMalformedError,
	TaskNotFoundError,
	UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import { isRequestError } from "@baton/agent";
import { isBatonError } from "@baton/session";

/** What a caller learns of a failure that is ours. */
const INTERNAL = "The server failed; its log says why.";
const UNAVAILABLE = "The server cannot reach its store right now; try again soon.";

/** Every error as one of A2A's. `onFailure` gets those that the caller learns nothing of. */
export function asA2aError(error: unknown, onFailure: (error: unknown) => void): A2AError {
	if (error instanceof A2AError) return error;
	if (isRequestError(error)) return new UnsupportedOperationError(error.message);
	if (isBatonError(error)) {
		switch (error.code) {
			case "invalid":
			case "too_large":
				return new RequestMalformedError(error.message);
			case "conflict":
				return new RequestMalformedError(
					"This messageId was used before, with another message. Each message has its own id.",
				);
			case "not_found":
				return new TaskNotFoundError("The task's session no longer exists.");
		}
	}
	onFailure(error);
	return new A2AError(isBatonError(error) && error.retryable ? UNAVAILABLE : INTERNAL);
}

/** Whether a text of the SDK's is one that we chose, and not that of an exception. */
export function isOurText(message: string): boolean {
	return message === INTERNAL || message === UNAVAILABLE;
}
