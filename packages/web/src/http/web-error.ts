/** A refusal that the page reads: the agent API's own code and words, or this app's. */
export class WebError extends Error {
	override readonly name = "WebError";
	readonly status: number;
	readonly code: string;
	/** To be sent along. */
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, code: string, message: string, headers = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = headers;
	}
}

export function invalid(message: string): WebError {
	return new WebError(400, "INVALID_REQUEST", message);
}
