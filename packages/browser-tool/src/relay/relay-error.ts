import { isRequestError, type RequestErrorCode } from "@baton/agent";
import { type ErrorCode, isBatonError } from "@baton/session";
import { type RelayErrorCode, relayErrorStatus } from "../types";

/** A refusal of the relay: what a caller reads, with the code and status of the wire. */
export class RelayError extends Error {
	override readonly name = "RelayError";
	readonly code: RelayErrorCode;
	readonly status: number;

	constructor(
		code: RelayErrorCode,
		message: string,
		options: { status?: number; cause?: unknown } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.code = code;
		this.status = options.status ?? relayErrorStatus[code];
	}
}

/** The body is no valid request at all. */
export function badRequest(message: string): RelayError {
	return new RelayError("INVALID_RESPONSE", message, { status: 400 });
}

const REQUEST_CODES: Record<RequestErrorCode, [RelayErrorCode, status?: number]> = {
	not_found: ["NOT_FOUND"],
	over: ["INVALID_RESPONSE"],
	claimed: ["CLAIMED"],
	wrong_kind: ["INVALID_RESPONSE"],
	reused: ["CONFLICT"],
	invalid: ["INVALID_RESPONSE", 400],
};

const STORE_CODES: Partial<Record<ErrorCode, [RelayErrorCode, status?: number]>> = {
	not_found: ["NOT_FOUND"],
	invalid: ["INVALID_RESPONSE", 400],
	too_large: ["TOO_LARGE"],
};

/** The refusal that an error of the layers below amounts to; null when it is a failure of ours. */
export function asRelayError(error: unknown): RelayError | null {
	if (error instanceof RelayError) return error;
	let known: [RelayErrorCode, status?: number] | undefined;
	if (isRequestError(error)) known = REQUEST_CODES[error.code];
	if (isBatonError(error)) known = STORE_CODES[error.code];
	if (!known) return null;
	const [code, status] = known;
	return new RelayError(code, (error as Error).message, {
		cause: error,
		...(status !== undefined && { status }),
	});
}

/** The same outcome, with an error of the layers below as the refusal that it amounts to. */
export async function refusing<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		throw asRelayError(error) ?? error;
	}
}
