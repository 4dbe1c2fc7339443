/** How a call to Agentforce can fail, each with what it means for the caller. */
export type AgentforceErrorKind =
	| "unauthorized" // the credentials are refused, or a fresh token is
	| "login_rate" // the org refuses more logins for now; asking again makes it worse
	| "session_gone" // the session expired or was ended there
	| "busy" // another request of the session is in flight and took too long
	| "rate_limited" // too many requests, also after waiting as told
	| "timeout" // no answer in time; the message may have had effects
	| "unavailable" // not reachable, or overloaded, also at a second try
	| "failed" // Agentforce failed at the work; the message may have had effects
	| "refused" // the request is not accepted: a wrong agent id or host, for instance
	| "garbled"; // an answer that is not of the API

const RETRYABLE: ReadonlySet<AgentforceErrorKind> = new Set([
	"login_rate",
	"session_gone",
	"busy",
	"rate_limited",
	"timeout",
	"unavailable",
	"failed",
]);

/** A call that failed. The message is for people and repeats nothing that Salesforce said. */
export class AgentforceError extends Error {
	override readonly name = "AgentforceError";
	readonly kind: AgentforceErrorKind;
	/** True when the same call may succeed later. */
	readonly retryable: boolean;
	readonly status: number | undefined;
	/** What Salesforce said and its id of the request: for the log, never for a caller. */
	readonly details: string | undefined;

	constructor(
		kind: AgentforceErrorKind,
		message: string,
		options: { status?: number; details?: string; cause?: unknown } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.kind = kind;
		this.retryable = RETRYABLE.has(kind);
		this.status = options.status;
		this.details = options.details;
	}
}
