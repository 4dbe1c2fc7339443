import type { IncomingMessage, ServerResponse } from "node:http";
import { IncomingRequest } from "./incoming-request";

/** What of a Host header is safe to build an address from. */
const HOST = /^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/** Methods that the web's `Request` does not take. */
const FORBIDDEN = new Set(["CONNECT", "TRACE", "TRACK"]);

/** A Node request as a web one, or null when its address makes no sense. */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request | null {
	const host = incoming.headers.host ?? "localhost";
	const path = incoming.url ?? "/";
	// An absolute form would let the caller choose the host past the header.
	if (!HOST.test(host) || !path.startsWith("/") || FORBIDDEN.has(incoming.method ?? ""))
		return null;
	try {
		const url = new URL(`http://${host}${path}`).href;
		const headers = toHeaders(incoming.rawHeaders);
		// It has all that a `Request` has.
		return new IncomingRequest(url, headers, incoming, outgoing) as unknown as Request;
	} catch {
		// An address that is none, or a header that `Headers` does not take.
		return null;
	}
}

function toHeaders(raw: readonly string[]): Headers {
	const headers = new Headers();
	for (let i = 0; i < raw.length; i += 2) headers.append(raw[i]!, raw[i + 1]!);
	return headers;
}
