import type { CloudApiEvent } from "./cloud-api-event";
import { GiselleError } from "./giselle-error";

/** The failure that an event tells of, or null when it is none. */
export function failureOf(event: CloudApiEvent): GiselleError | null {
	switch (event.type) {
		case "error":
			if (event.severity === "warning") return null;
			return failed(text(event.message) ?? "The agent reported an error.");
		case "result":
			return resultFailure(event);
		case "exit":
			return exitFailure(event);
		default:
			return null;
	}
}

function resultFailure(event: CloudApiEvent): GiselleError | null {
	const { status } = event;
	if (status === "error") {
		const error = (event.error ?? {}) as { message?: unknown; retryable?: unknown };
		const message = text(error.message) ?? text(event.error) ?? "The agent's turn failed.";
		return failed(message, error.retryable === true);
	}
	if (status === "dropped") return failed("The message was dropped before its turn ran.", true);
	return exitFailure(event);
}

/** An agent's process that ended with another exit code than 0. */
function exitFailure(event: CloudApiEvent): GiselleError | null {
	const code = event.exit_code ?? event.exitCode ?? (event.type === "exit" ? event.code : 0);
	if (typeof code !== "number" || code === 0) return null;
	return failed(`The agent's process ended with exit code ${code}.`);
}

function failed(message: string, retryable = false): GiselleError {
	return new GiselleError("agent_failed", message, { retryable });
}

function text(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}
