import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

type Handler = (request: Request) => Promise<Response>;

/** A web-standard handler on a real HTTP server. A client that goes away cancels the body. */
export async function serve(handler: Handler, port = 0) {
	const server = createServer(async (incoming, outgoing) => {
		const gone = new AbortController();
		outgoing.once("close", () => gone.abort());
		const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
		const request = new Request(`http://127.0.0.1${incoming.url}`, {
			method: incoming.method ?? "GET",
			headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
			signal: gone.signal,
			...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
		} as RequestInit);
		const response = await handler(request);
		outgoing.writeHead(response.status, Object.fromEntries(response.headers));
		if (!response.body) return outgoing.end();
		const body = Readable.fromWeb(response.body as NodeReadableStream);
		body.on("error", () => outgoing.destroy());
		outgoing.once("close", () => body.destroy());
		body.pipe(outgoing);
	});
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	const { port: taken } = server.address() as AddressInfo;
	return {
		port: taken,
		url: `http://127.0.0.1:${taken}/agent-api/relay`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
