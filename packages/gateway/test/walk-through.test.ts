import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@baton/session";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import { Peer } from "./support/peer";

let folder: TempDir;
let gateway: GatewayFixture;

beforeEach(async () => {
	folder = await tempDir("baton-gateway");
	gateway = await start();
});
afterEach(async () => {
	await gateway.close();
	await folder.remove();
});

async function start(): Promise<GatewayFixture> {
	const store = await openStore({ driver: "files", dir: folder.path });
	return openGateway({ store, dataDir: folder.path });
}

it("the seed's steps, with raw text frames, a restart included", async () => {
	const peer = await Peer.connect(gateway.url);
	peer.text('{"type":"auth","token":"mysecrettoken"}');
	expect(await peer.frame(({ type }) => type === "auth")).toEqual({ type: "auth", ok: true });

	peer.text('{"id":"1","method":"agents.list","params":{}}');
	expect(await peer.frame(({ id }) => id === "1")).toMatchObject({
		result: { agents: [{ id: "assistant", model: "anthropic/claude-opus-4-6", servedBy: "demo" }] },
	});

	peer.text('{"id":"2","method":"sessions.create","params":{}}');
	const { result: created } = await peer.frame(({ id }) => id === "2");
	const sessionKey = String(created?.sessionKey);
	expect(sessionKey).toMatch(/^[0-9a-f-]{36}$/);
	expect(created).toEqual({ sessionKey });

	peer.text(
		`{"id":"3","method":"chat.send","params":{"sessionKey":"${sessionKey}","message":"Hello, my name is Alice."}}`,
	);
	const { result: sent } = await peer.frame(({ id }) => id === "3");
	const first = await peer.end(String(sent?.runId));
	expect(first).toMatchObject({
		event: "chat.final",
		data: { runId: sent?.runId, usage: { inputTokens: 5, outputTokens: expect.any(Number) } },
	});
	const answerAt = peer.frames.findIndex(({ id }) => id === "3");
	const deltaAt = peer.frames.findIndex(({ event }) => event === "chat.delta");
	expect(deltaAt).toBeGreaterThan(answerAt);

	peer.text(
		`{"id":"4","method":"chat.send","params":{"sessionKey":"${sessionKey}","message":"What is my name?"}}`,
	);
	const { result: second } = await peer.frame(({ id }) => id === "4");
	await peer.end(String(second?.runId));
	expect(peer.said(String(second?.runId))).toContain("Alice");

	peer.text(`{"id":"5","method":"chat.history","params":{"sessionKey":"${sessionKey}"}}`);
	const { result: history } = await peer.frame(({ id }) => id === "5");
	const messages = history?.messages as { role: string; content: string; timestamp: number }[];
	expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
	expect(messages[0]).toMatchObject({ content: "Hello, my name is Alice." });
	expect(messages[3]?.content).toContain("Alice");

	await gateway.close();
	gateway = await start();

	const again = await Peer.connect(gateway.url);
	again.text(`{"type":"auth","token":"${TOKEN}"}`);
	again.text('{"id":"1","method":"sessions.list","params":{}}');
	const { result: list } = await again.frame(({ id }) => id === "1");
	expect(list?.sessions).toMatchObject([{ key: sessionKey, agentId: "assistant" }]);

	again.text(`{"id":"2","method":"sessions.get","params":{"sessionKey":"${sessionKey}"}}`);
	const { result: got } = await again.frame(({ id }) => id === "2");
	expect(got).toMatchObject({ session: { key: sessionKey }, messages });

	const lines = (await readFile(join(folder.path, "sessions", `${sessionKey}.jsonl`), "utf8"))
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, unknown>);
	expect(lines.map(({ role, content }) => ({ role, content }))).toEqual(
		messages.map(({ role, content }) => ({ role, content })),
	);
});
