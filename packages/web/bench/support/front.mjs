import { once } from "node:events";
import { createServer, request } from "node:http";

/** A server in front of Baton: everything goes through it, and chats to `chats`. */
export async function startFront(batonUrl) {
	const front = { chats: batonUrl, url: "", close };
	const server = createServer((incoming, outgoing) => {
		const isChat = incoming.method === "POST" && incoming.url === "/api/chat";
		forward(incoming, outgoing, new URL(isChat ? front.chats : batonUrl));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	front.url = `http://127.0.0.1:${server.address().port}`;
	return front;

	async function close() {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

function forward(incoming, outgoing, { hostname, port }) {
	const { method, url: path, headers } = incoming;
	const onward = request({ hostname, port, method, path, headers }, (response) => {
		outgoing.writeHead(response.statusCode, response.headers);
		response.pipe(outgoing);
	});
	onward.on("error", () => outgoing.destroy());
	incoming.pipe(onward);
}
