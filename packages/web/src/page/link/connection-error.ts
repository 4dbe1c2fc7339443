/** What the server says when it is about to come or to go. */
const UNAVAILABLE = /"errorCode":"UNAVAILABLE"/;

/** A stream that ended or fell silent before its turn was over: the turn itself goes on. */
export class ConnectionLost extends TypeError {
	override readonly name = "ConnectionLost";

	constructor(reason: string) {
		// The AI SDK knows a lost network by a TypeError with this word in it.
		super(`network: ${reason}`);
	}
}

/** Whether trying again may help: nothing arrived, or the server was not there. */
export function isConnectionError(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	return error instanceof TypeError || UNAVAILABLE.test(error.message);
}
