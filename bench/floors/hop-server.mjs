// The least that carries a word to a reader of another instance and keeps it: read from an HTTP stream,
// stored and published in one script, written to an HTTP stream. No turn, lease, owner or task.
// `hop-server.mjs publish|subscribe <redis url>`
import { createServer, request } from "node:http";
import { Redis } from "ioredis";

const [role, redisUrl] = process.argv.slice(2);
const CHANNEL = "bench-floor";
const redis = new Redis(redisUrl);
redis.defineCommand("store", {
	numberOfKeys: 1,
	lua: 'redis.call("XADD", KEYS[1], "*", "e", ARGV[1]) redis.call("PUBLISH", KEYS[1], ARGV[1])',
});
const readers = new Set();

if (role === "subscribe") {
	redis.on("message", (_, json) => {
		const event = { jsonrpc: "2.0", id: 1, result: JSON.parse(json) };
		for (const reader of readers) reader.write(`data: ${JSON.stringify(event)}\n\n`);
	});
	await redis.subscribe(CHANNEL);
}

const server = createServer((incoming, outgoing) => {
	outgoing.writeHead(200, { "content-type": "text/event-stream" });
	outgoing.flushHeaders();
	if (role === "subscribe") {
		readers.add(outgoing);
		incoming.on("close", () => readers.delete(outgoing));
		return;
	}
	// `GET /?from=<address>`: reads the words from there.
	const from = new URL(incoming.url, "http://floor").searchParams.get("from");
	request(from, (response) => {
		response.setEncoding("utf8").on("data", (text) => {
			for (const event of text.split("\n\n").filter(Boolean)) {
				redis.store(CHANNEL, JSON.stringify(JSON.parse(event.slice("data: ".length))));
			}
		});
		response.on("end", () => outgoing.end());
	}).end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
