/** A refusal that the page reads: the agent API's own code and words, or this app's. */
export class WebError extends Error {
	override readonly name = "WebError";
	readonly status: number;
	readonly code: string;

	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

export function invalid(message: string): WebError {
	return new WebError(400, "INVALID_REQUEST", message);
}
