import type { IncomingMessage, ServerResponse } from "node:http";

const HEADERS =
	"Authorization, Content-Type, X-API-Key, A2A-Version, A2A-Extensions, X-A2A-Extensions";

/** Pages of listed origins may call; no other origin is reflected. True: it was only asked, and is answered. */
export function answerOrigin(
	{ headers, method }: IncomingMessage,
	response: ServerResponse,
	origins: readonly string[],
): boolean {
	const { origin } = headers;
	if (origins.length > 0) response.setHeader("Vary", "Origin");
	if (origin !== undefined && origins.includes(origin)) {
		response.setHeader("Access-Control-Allow-Origin", origin);
		response.setHeader("Access-Control-Allow-Headers", HEADERS);
		response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS");
	}
	if (method !== "OPTIONS") return false;
	response.writeHead(204).end();
	return true;
}
