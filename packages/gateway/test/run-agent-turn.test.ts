import type { SessionValue } from "@baton/agent";
import { demoPieces } from "@baton/agent/demo";
import { afterEach, expect, it } from "vitest";
import { type ChatEvent, runAgentTurn } from "../src";
import { type GatewayFixture, openGateway } from "./support/gateway-fixture";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

async function admit(message: string) {
	gateway = await openGateway();
	const { turns, store } = gateway;
	const { key } = await turns.create({ agentId: "demo", owner: "local", door: "test" });
	const { runId, seq } = await turns.send(key, { content: message });
	const sessions = store.collection<SessionValue>("sessions");
	return { turns, sessions, sessionKey: key, runId, seq };
}

it("hands over a turn's events in order, and returns its end", async () => {
	const message = "/stream 20 words";
	const turn = await admit(message);
	const events: ChatEvent[] = [];
	const end = await runAgentTurn(turn, (some) => void events.push(...some));
	expect(end).toMatchObject({ type: "final", runId: turn.runId, servedBy: "demo" });
	expect(events.map(({ type }) => type)).toEqual([
		"message",
		"started",
		...Array.from({ length: 20 }, () => "delta"),
		"final",
	]);
	const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
	expect(text).toBe([...demoPieces(message)].join(""));
});

it("a turn that is over is handed over as well; one of a session that is deleted ends", async () => {
	const turn = await admit("Hello");
	await runAgentTurn(turn);
	expect(await runAgentTurn(turn)).toMatchObject({ type: "final" });
	const waiting = runAgentTurn({ ...turn, runId: crypto.randomUUID() });
	await turn.sessions.delete(turn.sessionKey);
	expect(await waiting).toMatchObject({ type: "error", code: "not_found" });
});

it("stops following when told to, and the turn goes on", async () => {
	const turn = await admit("/stream 40 words every 5ms");
	const stop = new AbortController();
	const following = runAgentTurn({ ...turn, signal: stop.signal }, () => stop.abort());
	expect(await following).toBeNull();
	expect(await runAgentTurn(turn)).toMatchObject({ type: "final" });
});

it("a turn whose events the store has dropped is told by its row in the transcript", async () => {
	const turn = await admit("Hello");
	await runAgentTurn(turn);
	const { last } = await turn.sessions.state(turn.sessionKey, "events");
	await turn.sessions.trim(turn.sessionKey, "events", last + 1);
	expect(await runAgentTurn(turn)).toMatchObject({ type: "final", runId: turn.runId });
	const unknown = { ...turn, runId: crypto.randomUUID() };
	expect(await runAgentTurn(unknown)).toMatchObject({ type: "error", code: "lost" });
});
