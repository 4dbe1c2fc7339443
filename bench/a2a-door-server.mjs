// The A2A door, on memory or on Redis, with an agent that echoes or, given how to reach it, with
// Agentforce: our side of the A2A bench. `a2a-door-server.mjs [<redis url> [<Agentforce settings>]]`
import { createServer } from "node:http";
import { AgentforceClient, createAgentforceAgent } from "@baton/a2a-agentforce/agentforce";
import { createA2aDoor } from "@baton/a2a-agentforce/door";
import { BatonStore } from "@baton/a2a-agentforce/session";
import { ApiKeys, Turns } from "@baton/agent";
import { openStore } from "@baton/session";

const [redisUrl, settings] = process.argv.slice(2);
const store = await openStore(redisUrl ? { driver: "redis", url: redisUrl } : { driver: "memory" });
const sessions = store.collection("sessions");
const log = { info() {}, warn: (details, message) => console.error(message, details) };
const agent = settings ? agentforce(JSON.parse(settings)) : echo();
const turns = new Turns({ sessions, agents: () => agent, holder: `bench/${process.pid}`, log });
const door = createA2aDoor({
	turns,
	sessions,
	store,
	keys: [ApiKeys.parse("bench:bench-key-0123456789abcdef")],
	agents: [{ name: agent.name, description: agent.name }],
	url: () => "http://127.0.0.1",
	version: "1",
	ratePerMinute: 100_000_000,
	holder: `bench/${process.pid}`,
	log,
});
const server = createServer(door.listener);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

function echo() {
	return {
		name: "echo",
		recovery: "retry",
		async *run({ input }) {
			yield { type: "message", role: "assistant", content: input.content, delta: true };
		},
	};
}

function agentforce(where) {
	const ttlSeconds = 1_800;
	return createAgentforceAgent({
		client: new AgentforceClient(where),
		sessions: new BatonStore({ store: async () => store, ttlSeconds }),
		ttlSeconds,
		log,
	});
}
