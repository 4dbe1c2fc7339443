/** Every way an operation of the core can fail. Doors map these codes to their own wire. */
export type ErrorCode =
	| "invalid" // the input breaks a documented rule; correct it and call again
	| "too_large" // a value is over its size cap
	| "not_found" // the session does not exist, was deleted, or expired
	| "already_exists" // create() with an id or an alias that is in use
	| "conflict" // an idempotency key with another body, or a register that is not as expected
	| "busy" // another turn is running, and the caller would not wait
	| "lease_lost" // the caller's lease expired or was taken; nothing was written
	| "locked" // another process owns the data folder
	| "read_only" // the store refuses writes
	| "store_full" // no disk space or no memory left in the store
	| "corrupt" // stored data cannot be understood
	| "unavailable" // the store cannot be reached, or did not answer in time
	| "not_replicated" // stored, but fewer replicas than asked for have confirmed it
	| "closed"; // the store was closed by its owner

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
	"busy",
	"read_only",
	"store_full",
	"unavailable",
	"not_replicated",
]);

/** The one error class of Baton: what happened, with which input, and what to do about it. */
export class BatonError extends Error {
	override readonly name = "BatonError";
	readonly code: ErrorCode;
	/** True when the same call may succeed later without a change by the caller. */
	readonly retryable: boolean;

	constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.code = code;
		this.retryable = RETRYABLE.has(code);
	}
}

/** Recognises a BatonError across module instances, where `instanceof` fails. */
export function isBatonError(error: unknown, code?: ErrorCode): error is BatonError {
	return (
		error instanceof Error &&
		error.name === "BatonError" &&
		"code" in error &&
		(code === undefined || error.code === code)
	);
}
