import { once } from "node:events";
import type { Socket } from "node:net";
import type { Agent } from "@baton/agent";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, expect, it } from "vitest";
import { type GatewayFixture, openGateway } from "./support/gateway-fixture";
import { Peer } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

const PIECE = "x".repeat(4_000);

/** Says so many pieces of 4,000 characters as fast as it can: more than a network holds. */
const talkative = (pieces: number, piece = PIECE): Agent => ({
	name: "talkative",
	recovery: "retry",
	async *run() {
		for (let i = 0; i < pieces; i++) {
			yield { type: "message", role: "assistant", content: piece, delta: true };
		}
		return undefined;
	},
});

it("a reader that stands still for a while gets its deltas merged, and all of the text", async () => {
	const pieces = 6_000;
	gateway = await openGateway({
		// The fastest store, so that the agent is far ahead of the reader.
		store: await openStore({ driver: "memory" }),
		agent: talkative(pieces),
		limits: { bufferBytes: 256 * 1024 },
	});
	const [slow, quick] = [await gateway.open(), await gateway.open()];
	const sessionKey = await quick.createSession();
	for (const peer of [slow, quick]) await peer.call("chat.subscribe", { sessionKey, after: 0 });
	slow.ws.pause();
	const { runId } = await quick.call<{ runId: string }>("chat.send", { sessionKey, message: "Go" });
	await quick.end(runId, 60_000);
	expect(quick.said(runId)).toHaveLength(pieces * PIECE.length);
	slow.ws.resume();
	await slow.end(runId, 60_000);
	expect(slow.said(runId)).toHaveLength(pieces * PIECE.length);
	const deltas = slow.events("chat.delta", runId);
	expect(deltas.length).toBeLessThan(pieces * 0.9);
	const seqs = slow.events().map(({ data }) => Number(data?.seq));
	expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
}, 180_000);

it("a reader that does not come back to reading is told to come back from its cursor", async () => {
	const pieces = 6_000;
	gateway = await openGateway({
		agent: talkative(pieces),
		limits: { bufferBytes: 256 * 1024, slowMs: 300 },
	});
	const [slow, quick] = [await gateway.open(), await gateway.open()];
	const sessionKey = await quick.createSession();
	for (const peer of [slow, quick]) await peer.call("chat.subscribe", { sessionKey, after: 0 });
	slow.ws.pause();
	const before = process.memoryUsage().arrayBuffers;
	const { runId } = await quick.call<{ runId: string }>("chat.send", { sessionKey, message: "Go" });
	await quick.end(runId, 60_000);
	await waitFor(() => slow.closed, {
		timeoutMs: 1_500,
	}).catch(() => {});
	expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
	slow.ws.resume();
	const { code } = await waitFor(() => slow.closed, { timeoutMs: 15_000 });
	expect(code).toBe(4410);
	const last = Number(slow.events().at(-1)?.data?.seq ?? 0);
	const again = await Peer.open(gateway.url, "mysecrettoken");
	await again.call("chat.subscribe", { sessionKey, after: last });
	await again.end(runId, 60_000);
	const text = slow.said(runId) + again.said(runId);
	expect(text).toHaveLength(pieces * PIECE.length);
}, 180_000);

it("a reader has more time for a large answer than for a small one", async () => {
	const [turns, pieces] = [40, 100];
	gateway = await openGateway({
		agent: talkative(pieces),
		limits: { bufferBytes: 1024 * 1024, slowMs: 300, answerBytes: 64 * 1024 * 1024 },
	});
	const [slow, quick] = [await gateway.open(), await gateway.open()];
	const sessionKey = await quick.createSession();
	for (let i = 0; i < turns; i++) await quick.chat(sessionKey, "Go");
	const asked = slow.ask("chat.history", { sessionKey, limit: 2 * turns });
	slow.ws.pause();
	await new Promise((resolve) => setTimeout(resolve, 1_500));
	slow.ws.resume();
	const messages = (await asked).result?.messages as { content: string }[];
	const said = messages.map(({ content }) => content).join("");
	expect(said).toHaveLength(turns * (pieces * PIECE.length + "Go".length));
	const outcome = Promise.race([once(slow.ws, "pong"), once(slow.ws, "close")]);
	slow.ws.ping();
	await outcome;
	expect(slow.closed).toBeNull();
}, 180_000);

it("a client that asks and never reads the answers is not read either", async () => {
	gateway = await openGateway({ limits: { bufferBytes: 64 * 1024, slowMs: 100 } });
	const peer = await gateway.open();
	const sessionKey = await peer.createSession();
	for (let i = 0; i < 5; i++) await peer.chat(sessionKey, "x".repeat(30_000));
	peer.ws.pause();
	for (let i = 0; i < 2_000; i++) {
		peer.text(JSON.stringify({ id: i, method: "chat.history", params: { sessionKey } }));
	}
	// What it asked for would be 300 MB: the server neither makes nor keeps it.
	const before = process.memoryUsage().rss;
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
	const other = await gateway.open();
	await other.call("health.check");
	peer.ws.resume();
	await waitFor(() => peer.closed, { timeoutMs: 15_000 });
	expect([4410, 1006]).toContain(peer.closed?.code);
}, 180_000);

it("a reader that unsubscribes is sent nothing more after the answer, also when it was behind", async () => {
	gateway = await openGateway({
		store: await openStore({ driver: "memory" }),
		// All of it is read at once from the log, and sent in many portions.
		agent: talkative(400, PIECE.repeat(15)),
		limits: { bufferBytes: 64 * 1024 },
	});
	const quick = await gateway.open();
	const sessionKey = await quick.createSession();
	const { runId } = await quick.chat(sessionKey, "Go");
	const connected = once(gateway.server, "connection") as Promise<[Socket]>;
	const slow = await gateway.open();
	const [socket] = await connected;
	slow.ws.pause();
	slow.text(
		JSON.stringify({ id: "on", method: "chat.subscribe", params: { sessionKey, after: 0 } }),
	);
	// What the network holds is on its way, and the rest waits for this reader.
	await waitFor(() => socket.writableLength > 64 * 1024, { what: "a full buffer" });
	slow.text(JSON.stringify({ id: "off", method: "chat.unsubscribe", params: { sessionKey } }));
	slow.ws.resume();
	await slow.frame(({ id }) => id === "off");
	const answered = slow.frames.findIndex(({ id }) => id === "off");
	await slow.call("chat.subscribe", {
		sessionKey,
		after: Number(quick.events().at(-1)?.data?.seq) - 1,
	});
	await slow.end(runId);
	const late = slow.frames.slice(answered + 1).filter(({ event }) => event !== undefined);
	expect(late.map(({ event }) => event)).toEqual(["chat.final"]);
}, 60_000);
