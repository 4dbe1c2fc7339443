import type { RelayResponse } from "@baton/protocol";
import { ToolFailure } from "./read-prompt";

/** What a page's tool returned, as the relay takes it. The call's id is the request's. */
export function toolResultToRelayResponse(
	toolName: string,
	toolCallId: string,
	result: unknown,
): Record<string, unknown> {
	if (result instanceof ToolFailure) {
		return {
			...errorResponse(toolCallId, result.message),
			...(result.code === "denied" && { code: result.code }),
		};
	}
	const told = typeof result === "object" && result !== null ? result : {};
	const failure = failureIn(told);
	if (failure !== undefined) return errorResponse(toolCallId, failure);
	if (toolName === "getFormSnapshot") {
		const { fields, opaque, truncated } = told as Record<string, unknown>;
		if (!Array.isArray(fields)) return errorResponse(toolCallId, "The page told no fields.");
		return {
			type: "snapshot_response",
			requestId: toolCallId,
			fields,
			// That the page holds more than it tells is for the agent to know.
			...(opaque !== undefined && { opaque }),
			...(truncated !== undefined && { truncated }),
		} satisfies RelayResponse;
	}
	if (toolName === "executeFormActions") {
		const { report } = told as { report?: unknown };
		if (typeof report !== "object" || report === null) {
			return errorResponse(toolCallId, "The page told no report.");
		}
		return {
			type: "execute_response",
			requestId: toolCallId,
			report: { ...report },
		} satisfies RelayResponse;
	}
	return errorResponse(toolCallId, `Unknown tool: ${toolName}`);
}

export function errorResponse(requestId: string, message: string) {
	return { type: "error_response", requestId, message } satisfies RelayResponse;
}

/** A tool may also return its error, as `{error}`, where a result would have been. */
function failureIn(told: object): string | undefined {
	const { error } = told as { error?: unknown };
	if (typeof error === "string") return error;
	const message = (error as { message?: unknown } | null | undefined)?.message;
	return typeof message === "string" ? message : undefined;
}
