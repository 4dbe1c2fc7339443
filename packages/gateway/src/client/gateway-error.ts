/** Why a call failed. `code` is the wire's, or one of the client's own below. */
export class GatewayError extends Error {
	override readonly name = "GatewayError";
	readonly code: number;
	readonly type: string;
	/** Whether the same call may succeed later. */
	readonly retryable: boolean;

	constructor(code: number, type: string, message: string, retryable: boolean) {
		super(message);
		this.code = code;
		this.type = type;
		this.retryable = retryable;
	}
}

/** The connection was lost before the answer came: whether the call was carried out is unknown. */
export function disconnected(): GatewayError {
	return new GatewayError(-1, "disconnected", "The connection was lost before the answer.", true);
}

export function closed(reason = "The client is closed."): GatewayError {
	return new GatewayError(-2, "closed", reason, false);
}
