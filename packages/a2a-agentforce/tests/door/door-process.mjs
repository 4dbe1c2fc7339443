// One instance of the A2A door in a process of its own, to be killed: `door-process.mjs <redis url>`.
// Its agents: demo, and `fragile`, which counts like demo but must not be run twice.
import { createServer } from "node:http";
import { createA2aDoor } from "@baton/a2a-agentforce/door";
import { ApiKeys, Turns } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore } from "@baton/session";

const store = await openStore({ driver: "redis", url: process.argv[2] });
const sessions = store.collection("sessions");
const demo = createDemoAgent();
const agents = { demo, fragile: { ...demo, name: "fragile", recovery: "fail" } };
const log = { warn: (_, message) => process.stderr.write(`${message}\n`) };
const holder = `test/${process.pid}`;
const turns = new Turns({ sessions, agents: (name) => agents[name], holder, log });
let url = "";
const door = createA2aDoor({
	turns,
	sessions,
	store,
	keys: [ApiKeys.parse("ada:ada-key-0123456789abcdef")],
	agents: Object.keys(agents).map((name) => ({ name, description: name })),
	url: () => url,
	version: "0.0.0",
	ratePerMinute: 100_000,
	push: { allowPrivate: true, sweepMs: 100, leaseMs: 1_000 },
	holder,
	log,
});
const server = createServer(door.listener);
server.listen(0, "127.0.0.1", () => {
	url = `http://127.0.0.1:${server.address().port}`;
	process.stdout.write(`${url}\n`);
});
