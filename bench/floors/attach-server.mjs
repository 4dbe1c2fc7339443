// The least that an attach is: one who has a key reads a log of a session under another name, and gets
// a relay session of its own. Two looks one after the other to find it, then everything else at once,
// in bare commands. `attach-server.mjs <redis url>`
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Redis } from "ioredis";

const EVENTS = 64;
const redis = new Redis(process.argv[2]);
const id = randomUUID();
const keys = new Map([[hash("bench-key-0123456789abcdef"), "bench"]]);
await redis.set("alias:bench/bench", id);
await redis.set(`session:${id}`, JSON.stringify({ owner: "bench", settledSeq: 0 }));
for (let seq = 1; seq <= EVENTS; seq++) {
	const event = { type: "message", role: "assistant", content: `w${seq} `, delta: true };
	await redis.xadd(`log:${id}`, `${seq}-1`, "e", JSON.stringify({ ...event, run_id: id }));
}

function hash(text) {
	return createHash("sha256").update(text).digest("hex");
}

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	const { session_id: chat } = JSON.parse(body);
	const owner = keys.get(hash(request.headers.authorization.slice(7)));
	const found = await redis.get(`alias:${owner}/${chat}`);
	const record = JSON.parse(await redis.get(`session:${found}`));
	if (record.owner !== owner) return response.writeHead(404).end();
	const relay = { sessionId: randomUUID(), token: randomBytes(32).toString("base64url") };
	const [entries] = await Promise.all([
		redis.xrange(`log:${found}`, "1-0", "+", "COUNT", EVENTS),
		redis.hgetall(`state:${found}`),
		redis.set(`relay:${relay.sessionId}`, hash(relay.token), "PX", 600_000),
	]);
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	let text = `${JSON.stringify({ type: "relay.session", ...relay })}\n`;
	for (const [entryId, [, json]] of entries) {
		text += `{"seq":${entryId.split("-")[0]},${json.slice(1)}\n`;
	}
	response.write(text);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
