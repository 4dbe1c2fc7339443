/** Every way a call about a request can be refused. A missing session is a `BatonError`. */
export type RequestErrorCode =
	| "not_found" // no such request in this session, as far as the log is kept
	| "over" // answered otherwise, or closed: nothing is taken any more
	| "claimed" // another page has it
	| "wrong_kind" // the answer is not one to this kind of request
	| "reused" // a new request under the id of another one
	| "invalid"; // the id of a request or a claim breaks its rule

export class RequestError extends Error {
	override readonly name = "RequestError";
	readonly code: RequestErrorCode;

	constructor(code: RequestErrorCode, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.code = code;
	}
}

/** Recognises a RequestError across module instances, where `instanceof` fails. */
export function isRequestError(error: unknown, code?: RequestErrorCode): error is RequestError {
	return (
		error instanceof Error &&
		error.name === "RequestError" &&
		"code" in error &&
		(code === undefined || error.code === code)
	);
}
