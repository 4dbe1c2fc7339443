import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { RelayResponse } from "../types";
import { RelayCallError } from "./relay-client";

/** What the model reads when a page has answered. */
export function resultOf(response: RelayResponse): CallToolResult {
	switch (response.type) {
		case "snapshot_response": {
			const { fields, opaque, truncated } = response;
			return text(JSON.stringify({ fields, opaque, truncated }));
		}
		case "execute_response":
			return text(JSON.stringify({ report: response.report }));
		case "error_response": {
			const who = response.code === "denied" ? "The person said no" : "The page could not do it";
			return failure(`${who}: ${response.message}`);
		}
	}
}

const IN_WORDS: Record<string, string> = {
	TIMEOUT:
		"The page did not answer in time. The form may be closed, or the person away; nothing is known to have been done.",
	NO_BROWSER: "No page is open that could do this. Ask the person to open the form.",
	UNAUTHORIZED: "The relay no longer accepts this turn's credentials; the turn is probably over.",
	UNREACHABLE: "The relay to the page cannot be reached.",
	ABORTED: "The call was given up before the page answered.",
};

/** What the model reads when there is no answer. It can go on; the tool's server never fails. */
export function failureOf(error: unknown): CallToolResult {
	if (!(error instanceof RelayCallError)) return failure("The browser tool failed.");
	const words = IN_WORDS[error.code] ?? error.message;
	return failure(`${words} (${error.code})`);
}

export function failure(message: string): CallToolResult {
	return { ...text(message), isError: true };
}

function text(content: string): CallToolResult {
	return { content: [{ type: "text", text: content }] };
}
