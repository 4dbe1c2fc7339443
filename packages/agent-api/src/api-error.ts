import { type ErrorCode, isBatonError } from "@baton/session";
import { asRelayError } from "@giselles-ai/browser-tool/relay";

/** Every way the agent API refuses, with the HTTP status that goes with it. */
const STATUS = {
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
	METHOD_NOT_ALLOWED: 405,
	CONFLICT: 409,
	BUSY: 409,
	TOO_LARGE: 413,
	INVALID_REQUEST: 400,
	RATE_LIMITED: 429,
	INTERNAL: 500,
	UNAVAILABLE: 503,
} as const;

type ApiErrorCode = keyof typeof STATUS;

/** A refusal before the stream begins: what the caller reads, with the code of the wire. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ApiErrorCode;
	/** Seconds until it is worth trying again. */
	readonly retryAfter: number | undefined;

	constructor(code: ApiErrorCode, message: string, options: { retryAfter?: number } = {}) {
		super(message);
		this.code = code;
		this.retryAfter = options.retryAfter;
	}
}

const STORE_CODES: Partial<Record<ErrorCode, ApiErrorCode>> = {
	invalid: "INVALID_REQUEST",
	too_large: "TOO_LARGE",
	not_found: "NOT_FOUND",
	conflict: "CONFLICT",
	busy: "BUSY",
	unavailable: "UNAVAILABLE",
	not_replicated: "UNAVAILABLE",
	read_only: "UNAVAILABLE",
	store_full: "UNAVAILABLE",
	closed: "UNAVAILABLE",
};

/** Texts of our own infrastructure's failures are for our log, not for the caller. */
const KEPT_TO_OURSELVES = new Set<ApiErrorCode>(["UNAVAILABLE"]);

/** The answer to an error. `onFailure` gets those that are ours and that the caller learns nothing of. */
export function errorResponse(error: unknown, onFailure: (error: unknown) => void): Response {
	if (error instanceof ApiError) return answer(error.code, error.message, error.retryAfter);
	const code = isBatonError(error) ? STORE_CODES[error.code] : undefined;
	if (code && !KEPT_TO_OURSELVES.has(code)) return answer(code, (error as Error).message);
	if (code) {
		onFailure(error);
		return answer(code, "The store cannot be reached right now; try again soon.", 2);
	}
	const refusal = asRelayError(error);
	if (refusal) {
		const body = { ok: false, errorCode: refusal.code, message: refusal.message };
		return Response.json(body, { status: refusal.status });
	}
	onFailure(error);
	return answer("INTERNAL", "The server failed; its log says why.");
}

function answer(code: ApiErrorCode, message: string, retryAfter?: number): Response {
	return Response.json(
		{ ok: false, errorCode: code, message },
		{
			status: STATUS[code],
			headers: {
				"Cache-Control": "no-store",
				...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
			},
		},
	);
}
