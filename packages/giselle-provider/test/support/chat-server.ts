import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

/** A route handler on a real HTTP server, as a web framework would mount it. */
export async function serveRoute(handler: (request: Request) => Promise<Response>) {
	const server = createServer(async (incoming, outgoing) => {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const hasBody = incoming.method !== "GET";
		const request = new Request(new URL(incoming.url ?? "/", "http://127.0.0.1"), {
			method: incoming.method ?? "GET",
			...(hasBody && { body: Buffer.concat(chunks) }),
		});
		const response = await handler(request).catch(
			(error: unknown) => new Response(String(error), { status: 500 }),
		);
		outgoing.writeHead(response.status, Object.fromEntries(response.headers));
		if (response.body === null) outgoing.end();
		else Readable.fromWeb(response.body as never).pipe(outgoing);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
