// A gateway over a store, in a process of its own: fork with the store's configuration as JSON.
// Tells its port, and on "memory" what it holds.
import { createServer } from "node:http";
import { Turns } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { createGateway, WorkspaceAgents } from "@baton/gateway";
import { openStore } from "@baton/session";
import { memory } from "./held-memory.mjs";

const store = await openStore(JSON.parse(process.argv[2]));
const sessions = store.collection("sessions");
const agent = createDemoAgent();
const log = { info() {}, warn: (details, message) => console.error(message, details) };
const turns = new Turns({ sessions, agents: () => agent, holder: "bench", log });
const gateway = createGateway({
	turns,
	sessions,
	agents: await WorkspaceAgents.open({
		file: "/nonexistent",
		defaultModel: "demo",
		serving: () => ({ servedBy: "demo" }),
	}),
	tokens: { resolve: async () => ({ owner: "local", version: "1" }), isCurrent: async () => true },
	log,
	version: "bench",
	sessionsDir: "/nonexistent",
	limits: { socketsPerAddress: 100_000 },
});
const server = createServer(gateway.listener);
gateway.attach(server);
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("message", () => process.send({ memory: memory() }));
