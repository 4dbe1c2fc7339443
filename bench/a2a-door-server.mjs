// The A2A door with an agent that echoes, on memory or on Redis: our side of the A2A bench.
import { createServer } from "node:http";
import { createA2aDoor } from "@baton/a2a-agentforce/door";
import { ApiKeys, Turns } from "@baton/agent";
import { openStore } from "@baton/session";

const [redisUrl] = process.argv.slice(2);
const store = await openStore(redisUrl ? { driver: "redis", url: redisUrl } : { driver: "memory" });
const sessions = store.collection("sessions");
const echo = {
	name: "echo",
	recovery: "retry",
	async *run({ input }) {
		yield { type: "message", role: "assistant", content: input.content, delta: true };
	},
};
const log = { warn: (details, message) => console.error(message, details) };
const turns = new Turns({ sessions, agents: () => echo, holder: "bench", log });
const door = createA2aDoor({
	turns,
	sessions,
	store,
	keys: [ApiKeys.parse("bench:bench-key-0123456789abcdef")],
	agents: [{ name: "echo", description: "echo" }],
	url: () => "http://127.0.0.1",
	version: "1",
	ratePerMinute: 100_000_000,
	holder: "bench",
	log,
});
const server = createServer(door.listener);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
