import type { IncomingMessage } from "node:http";

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
		return new Request(url, {
			method,
			headers: toHeaders(incoming.rawHeaders),
			signal,
			...(hasBody && { body: toBody(incoming), duplex: "half" }),
		} as RequestInit);
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

/**
 * The body, read as it is asked for. A handler that has seen enough stops reading, and can still
 * answer: unlike `Readable.toWeb`, this does not take the connection down with the body.
 */
function toBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
	const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
	return new ReadableStream(
		{
			async pull(controller) {
				const { done, value } = await chunks.next();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			async cancel() {
				await chunks.return?.();
			},
		},
		{ highWaterMark: 0 },
	);
}
