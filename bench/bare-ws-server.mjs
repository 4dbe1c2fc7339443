// The peer of the gateway: `ws` and nothing else. Answers the first frame of a socket as the gateway
// does, sends the frames it is told to everyone, and tells what it holds.
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { memory } from "./held-memory.mjs";

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => {
	socket.once("message", () => {
		socket.send('{"type":"auth","ok":true}');
		socket.on("message", (data) => void broadcast(JSON.parse(data.toString())));
	});
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("message", () => process.send({ memory: memory() }));

/** Some frames at a time, as events come, so that the sockets get their turn. */
async function broadcast({ frame, count }) {
	for (let sent = 0; sent < count; sent++) {
		const text = frame.replace("000000", String(sent).padStart(6, "0"));
		for (const socket of sockets.clients) socket.send(text);
		if (sent % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
	}
	for (const socket of sockets.clients) socket.send('{"event":"chat.final","data":{}}');
}
