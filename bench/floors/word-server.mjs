// A word's way through the parts that Baton must have on it, and through nothing else: the client of
// the Agent API and the A2A SDK's stream; between them bare commands, or an append that checks a lease
// and a follower. No agent, turn, task, owner or recovery.
// `word-server.mjs publish|subscribe bare|kept <redis url> <settings>`
import { on } from "node:events";
import { createServer } from "node:http";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { AgentforceClient } from "@baton/a2a-agentforce/agentforce";
import { openRedisStore } from "@baton/session/redis";
import { Redis } from "ioredis";

const [role, way, redisUrl, settings] = process.argv.slice(2);
const words = way === "bare" ? bareWords() : await keptWords();
const client = new AgentforceClient(JSON.parse(settings));

/** `POST /<session>` with what to say to Agentforce: its words are stored as they come. */
async function publish(id, text, response) {
	const store = await words.writer(id);
	const { sessionId } = await client.startSession();
	response.writeHead(200).flushHeaders();
	for await (const { type, message } of client.stream({ sessionId, sequenceId: 1, text })) {
		if (type !== "TextChunk") continue;
		const event = { type: "message", role: "assistant", content: message, delta: true };
		await store({ ...event, run_id: id });
	}
	await store({ type: "result", status: "success", run_id: id });
	response.end();
}

/** The task's words, as A2A tells them. */
async function* updates({ id }) {
	for await (const event of words.read(id)) {
		if (event.type === "result") return;
		const part = { content: { $case: "text", value: event.content }, mediaType: "" };
		const artifact = { artifactId: id, name: "", description: "", parts: [part], extensions: [] };
		const value = { taskId: id, contextId: id, artifact, append: true, lastChunk: false };
		yield { payload: { $case: "artifactUpdate", value } };
	}
}

/** Stored and published by two commands; whoever comes late has missed something. */
function bareWords() {
	const [redis, subscriber] = [new Redis(redisUrl), new Redis(redisUrl)];
	redis.defineCommand("keep", {
		numberOfKeys: 1,
		lua: 'redis.call("XADD", KEYS[1], "*", "e", ARGV[1]) redis.call("PUBLISH", KEYS[1], ARGV[1])',
	});
	return {
		writer: async (id) => (event) => redis.keep(id, JSON.stringify(event)),
		async *read(id) {
			const messages = on(subscriber, "message");
			await subscriber.subscribe(id);
			for await (const [channel, json] of messages) if (channel === id) yield JSON.parse(json);
		},
	};
}

/** By the session core: numbered, under a lease, once whatever is lost on the way. */
async function keptWords() {
	const sessions = (await openRedisStore({ url: redisUrl })).collection("words");
	return {
		async writer(id) {
			await sessions.create(id, {});
			const lease = await sessions.takeLease(id, { holder: "floor", ttlMs: 60_000 });
			return (event) => sessions.append(id, "events", [event], { lease });
		},
		async *read(id) {
			for await (const { entries } of sessions.follow(id, "events")) {
				for (const { event } of entries) yield event;
			}
		},
	};
}

const transport = new JsonRpcTransportHandler({
	getAgentCard: async () => ({ capabilities: { streaming: true } }),
	resubscribe: updates,
});

async function subscribe(body, response) {
	const context = new ServerCallContext({ requestedVersion: "1.0" });
	response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
	for await (const event of await transport.handle(JSON.parse(body), context)) {
		response.write(`data: ${JSON.stringify(event)}\n\n`);
	}
	response.end();
}

const server = createServer(async (request, response) => {
	let body = "";
	for await (const piece of request) body += piece;
	if (role === "publish") await publish(request.url.slice(1), body, response);
	else await subscribe(body, response);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
