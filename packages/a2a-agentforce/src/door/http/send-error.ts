import type { ServerResponse } from "node:http";
import { sendJson } from "./send-json";

/** What goes wrong before a method of A2A is reached: the status, and the code of JSON-RPC. */
const KINDS = {
	UNAUTHENTICATED: { status: 401, code: -32600 },
	NOT_FOUND: { status: 404, code: -32601 },
	TOO_LARGE: { status: 413, code: -32600 },
	INVALID_ARGUMENT: { status: 400, code: -32602 },
	PARSE_ERROR: { status: 400, code: -32700 },
	CONTENT_TYPE: { status: 415, code: -32005 },
	RESOURCE_EXHAUSTED: { status: 429, code: -32000 },
	INTERNAL: { status: 500, code: -32603 },
	BAD_GATEWAY: { status: 502, code: -32603 },
	UNAVAILABLE: { status: 503, code: -32603 },
} as const;

/** A refusal before a method is reached, with what goes into its headers. */
export class Refusal extends Error {
	override readonly name = "Refusal";
	readonly kind: keyof typeof KINDS;
	readonly headers: Record<string, string>;

	constructor(kind: keyof typeof KINDS, message: string, headers: Record<string, string> = {}) {
		super(message);
		this.kind = kind;
		this.headers = headers;
	}
}

/** Answers with an error, as JSON of the binding: a JSON-RPC response, or a status as REST has it. */
export function sendError(
	response: ServerResponse,
	{ kind, message, headers }: Refusal,
	binding: "JSONRPC" | "HTTP+JSON",
): void {
	if (response.headersSent) {
		response.destroy();
		return;
	}
	const { status, code } = KINDS[kind];
	const body =
		binding === "JSONRPC"
			? { jsonrpc: "2.0", id: null, error: { code, message } }
			: { error: { code: status, status: kind, message, details: [] } };
	sendJson(response, status, body, { "Cache-Control": "no-store", ...headers });
}
