import * as z from "zod";

/** Every way the relay refuses, with the HTTP status that goes with it. */
export const relayErrorStatus = {
	UNAUTHORIZED: 401,
	NOT_FOUND: 404,
	METHOD_NOT_ALLOWED: 405,
	TIMEOUT: 408,
	NO_BROWSER: 409,
	CLAIMED: 409,
	CONFLICT: 409,
	TOO_LARGE: 413,
	/** 400 where the body is no valid request at all. */
	INVALID_RESPONSE: 422,
	INTERNAL: 500,
} as const;

export type RelayErrorCode = keyof typeof relayErrorStatus;

export const relayErrorCodes = Object.keys(relayErrorStatus) as RelayErrorCode[];

/** What a refused call gets. A code that a reader does not know is an error all the same. */
export const relayErrorBodySchema = z.looseObject({
	ok: z.literal(false),
	errorCode: z.string(),
	message: z.string(),
});

export type RelayErrorBody = z.infer<typeof relayErrorBodySchema>;
