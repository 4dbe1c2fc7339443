import { AgentFailure } from "../agent";

/** What the AI SDK's errors have in common, without loading it to ask. */
interface ProviderError {
	message?: string;
	statusCode?: number;
	isRetryable?: boolean;
	/** The last of several tries. */
	lastError?: unknown;
	cause?: unknown;
}

const MAX_REASON = 1_000;

/** An error of a provider as a failure that a person can read, without the key. */
export function toModelFailure(
	error: unknown,
	reference: string,
	redact: (text: string) => string,
): AgentFailure {
	if (error instanceof AgentFailure) return error;
	const root = rootOf(error);
	const status = root.statusCode;
	const reason = redact(root.message || String(error)).slice(0, MAX_REASON);
	if (status === 401 || status === 403) {
		return new AgentFailure("unauthorized", `${reference} does not accept the key: ${reason}`);
	}
	if (status === 429) {
		return failure(
			"rate_limited",
			`${reference} has too many requests or no quota left: ${reason}`,
		);
	}
	if (status !== undefined && status >= 400 && status < 500) {
		const retryable = root.isRetryable ?? false;
		const message = `${reference} refused the request (${status}): ${reason}`;
		return new AgentFailure("refused", message, { retryable });
	}
	// A stream that breaks off has its good status still.
	if (status !== undefined && status >= 500)
		return failure("provider", `${reference} failed (${status}): ${reason}`);
	return failure("network", `${reference} could not be reached, or broke off: ${reason}`);

	function failure(type: string, message: string): AgentFailure {
		return new AgentFailure(type, message, { retryable: true });
	}
}

function rootOf(error: unknown): ProviderError {
	const known = (typeof error === "object" && error !== null ? error : {}) as ProviderError;
	if (known.lastError !== undefined) return rootOf(known.lastError);
	// Some errors wrap the answer of the provider without its status.
	const inner = known.statusCode === undefined ? known.cause : undefined;
	const cause = typeof inner === "object" && inner !== null ? (inner as ProviderError) : {};
	return cause.statusCode === undefined ? known : cause;
}
