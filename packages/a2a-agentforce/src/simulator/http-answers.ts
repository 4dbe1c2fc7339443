import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const MAX_BODY = 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		size += part.length;
		if (size > MAX_BODY) throw new Error("The body is too large.");
		parts.push(part);
	}
	return Buffer.concat(parts).toString("utf8");
}

export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An error as the Agent API words it. */
export function sendError(
	response: ServerResponse,
	status: number,
	error: string,
	headers: Record<string, string> = {},
): void {
	const body = {
		status,
		path: response.req.url,
		requestId: randomUUID(),
		error,
		message: `${error} (simulated)`,
		timestamp: Date.now(),
	};
	sendJson(response, status, body, headers);
}
