// A gateway in a process of its own, to be killed: node gateway-process.mjs <store as JSON> <port>
import { createServer } from "node:http";
import { Turns } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { createGateway, WorkspaceAgents } from "@baton/gateway";
import { openStore } from "@baton/session";

const [config, port] = process.argv.slice(2);
const log = { info() {}, warn: (details, message) => console.error(message, details) };
const store = await openStore(JSON.parse(config));
const sessions = store.collection("sessions");
const agent = createDemoAgent();
const turns = new Turns({
	sessions,
	agents: () => agent,
	holder: `pid ${process.pid}`,
	log,
	leaseMs: 500,
	sweepMs: 100,
});
const gateway = createGateway({
	turns,
	sessions,
	agents: await WorkspaceAgents.open({
		file: "/nonexistent",
		defaultModel: "demo",
		serving: () => ({ servedBy: "demo" }),
		explainUnserved: (model) => `There is no agent "${model}".`,
	}),
	tokens: {
		resolve: async (token) => (token === "mysecrettoken" ? { owner: "local", version: "1" } : null),
		isCurrent: async () => true,
	},
	log,
	version: "test",
	sessionsDir: "/nonexistent",
});
const server = createServer(gateway.listener);
gateway.attach(server);
server.listen(Number(port), "127.0.0.1", () => {
	process.stdout.write(`ready ${server.address().port}\n`);
});
