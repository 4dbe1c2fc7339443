import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { authAnswer, errorFrame, eventData } from "../src/protocol/frames";
import { gatewaySchema } from "../src/protocol/json-schema";
import { results } from "../src/protocol/results";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import type { Frame, Peer } from "./support/peer";

let gateway: GatewayFixture | undefined;
afterEach(async () => {
	await gateway?.close();
	gateway = undefined;
});

/** What is on the wire has the fields of its schema, and no others. */
function strict(schema: z.ZodType): z.ZodType {
	return schema instanceof z.ZodObject ? z.strictObject(schema.shape) : schema;
}

async function wholeConversation(peer: Peer): Promise<Map<string, Frame>> {
	const answers = new Map<string, Frame>();
	const ask = async (method: string, params: object = {}) => {
		const frame = await peer.ask(method, params);
		answers.set(method, frame);
		return frame.result as Record<string, string>;
	};
	await ask("hello");
	await ask("health.check");
	await ask("agents.list");
	const { sessionKey } = await ask("sessions.create", { label: "Whole" });
	await ask("chat.subscribe", { sessionKey, after: 0 });
	await peer.chat(sessionKey!, "/tool look");
	await peer.chat(sessionKey!, "/fail on purpose");
	const { runId } = await ask("chat.send", { sessionKey, message: "/stream 500 words every 5ms" });
	await peer.frame(({ event }) => event === "chat.delta");
	await ask("chat.abort", { runId });
	await peer.end(runId!);
	await ask("chat.wait", { sessionKey, runId });
	await ask("chat.history", { sessionKey });
	await ask("sessions.get", { sessionKey });
	await ask("sessions.list");
	await ask("sessions.search", { query: "whole" });
	await ask("sessions.patch", { sessionKey, label: "Other" });
	await ask("sessions.fork", { sessionKey });
	await ask("chat.unsubscribe", { sessionKey });
	await ask("sessions.delete", { sessionKey });
	return answers;
}

it("every frame of a whole conversation has the published form, and nothing beyond it", async () => {
	gateway = await openGateway();
	for (const more of [{}, { events: ["chat.aborted"] }]) {
		const peer = await gateway.open(TOKEN, more);
		const answers = await wholeConversation(peer);
		expect([...answers.keys()].toSorted()).toEqual(Object.keys(results).toSorted());
		for (const [method, { result }] of answers) {
			const schema = strict(results[method as keyof typeof results]);
			expect([method, schema.safeParse(result).error?.issues]).toEqual([method, undefined]);
		}
		for (const { event, data } of peer.events()) {
			const schema = strict(eventData[event as keyof typeof eventData]);
			expect([event, schema.safeParse(data).error?.issues]).toEqual([event, undefined]);
		}
		expect(peer.frames[0]).toEqual(authAnswer.parse(peer.frames[0]));
		const refused = await peer.ask("sessions.get", {});
		expect(strict(errorFrame).safeParse(refused).error).toBeUndefined();
	}
});

it("the package ships the schema that its source makes", async () => {
	const path = fileURLToPath(new URL("../dist/gateway.schema.json", import.meta.url));
	const shipped: unknown = JSON.parse(await readFile(path, "utf8"));
	expect(shipped).toEqual(JSON.parse(JSON.stringify(gatewaySchema())));
	expect(shipped).toMatchObject({
		methods: {
			"chat.send": { params: { required: ["sessionKey", "message"] } },
			"chat.history": {
				params: { properties: { limit: { minimum: 1, maximum: 500, default: 100 } } },
			},
		},
		events: { "chat.delta": { required: ["text", "sessionKey", "runId", "seq"] } },
	});
});

it("the client runs in a page: nothing of Node, no zod, no ws", async () => {
	const seen = new Set<string>();
	const look = async (url: URL): Promise<void> => {
		if (seen.has(url.href)) return;
		seen.add(url.href);
		const source = await readFile(url, "utf8");
		for (const [, name] of source.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)) {
			expect(name).toMatch(/^\.\.?\//);
			await look(new URL(name!, url));
		}
		expect(source).not.toMatch(/\b(?:Buffer|process|require)\b[.(]/);
	};
	await look(new URL("../dist/client/index.js", import.meta.url));
	expect(seen.size).toBeGreaterThan(1);
});
