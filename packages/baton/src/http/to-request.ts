import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { noteAddress } from "./caller-address";

/** What of a Host header is safe to build an address from. */
const HOST = /^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/** A Node request as a web one, or null when its address makes no sense. */
export function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | null {
	const host = incoming.headers.host ?? "localhost";
	const path = incoming.url ?? "/";
	// An absolute form would let the caller choose the host past the header.
	if (!HOST.test(host) || !path.startsWith("/")) return null;
	const url = `http://${host}${path}`;
	if (!URL.canParse(url)) return null;
	const { method = "GET" } = incoming;
	const hasBody = method !== "GET" && method !== "HEAD";
	try {
		const request = new Request(url, {
			method,
			headers: toHeaders(incoming.rawHeaders),
			signal,
			...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
		} as RequestInit);
		noteAddress(request, incoming.socket.remoteAddress);
		return request;
	} catch {
		// A method that `Request` forbids (TRACE, CONNECT), or a header that it does not take.
		return null;
	}
}

function toHeaders(raw: readonly string[]): Headers {
	const headers = new Headers();
	for (let i = 0; i < raw.length; i += 2) headers.append(raw[i]!, raw[i + 1]!);
	return headers;
}
