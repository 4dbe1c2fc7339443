import { type ErrorCode, isBatonError } from "@baton/session";

/** The numbers of the wire: those of JSON-RPC, and otherwise those of HTTP. */
export const RPC = {
	parseError: -32700,
	invalidRequest: -32600,
	unknownMethod: -32601,
	invalidParams: -32602,
	internal: -32603,
	notFound: 404,
	conflict: 409,
	tooLarge: 413,
	tooMany: 429,
	unavailable: 503,
} as const;

/** A refusal that the caller reads. */
export class RpcError extends Error {
	override readonly name = "RpcError";
	readonly code: number;
	readonly type: string;
	readonly retryable: boolean;

	constructor(code: number, type: string, message: string, retryable = false) {
		super(message);
		this.code = code;
		this.type = type;
		this.retryable = retryable;
	}
}

export function noSession(): RpcError {
	return new RpcError(RPC.notFound, "not_found", "There is no such session.");
}

const STORE_CODES: Partial<Record<ErrorCode, number>> = {
	invalid: RPC.invalidParams,
	too_large: RPC.tooLarge,
	not_found: RPC.notFound,
	already_exists: RPC.conflict,
	conflict: RPC.conflict,
	busy: RPC.conflict,
	unavailable: RPC.unavailable,
	not_replicated: RPC.unavailable,
	read_only: RPC.unavailable,
	store_full: RPC.unavailable,
	closed: RPC.unavailable,
};

/** An error as the wire has it. `onFailure` gets those that the caller learns nothing of. */
export function toErrorBody(error: unknown, onFailure: (error: unknown) => void) {
	const refusal = toRefusal(error);
	if (refusal.code === RPC.internal || refusal.code === RPC.unavailable) onFailure(error);
	const { code, message, type, retryable } = refusal;
	return { code, message, data: { type, retryable } };
}

function toRefusal(error: unknown): RpcError {
	if (error instanceof RpcError) return error;
	const code = isBatonError(error) ? STORE_CODES[error.code] : undefined;
	if (code === RPC.notFound) return noSession();
	if (code === RPC.unavailable) {
		const message = "The store cannot be reached right now, or the server stops; try again soon.";
		return new RpcError(code, "unavailable", message, true);
	}
	if (code !== undefined && isBatonError(error)) {
		return new RpcError(code, error.code, error.message, error.retryable);
	}
	return new RpcError(RPC.internal, "internal", "The server failed; its log says why.");
}
