import { randomUUID } from "node:crypto";
import { type Agent, AgentFailure } from "@baton/agent";
import { afterEach, describe, expect, it } from "vitest";
import { say, scripted, seqs, textOf } from "./support/agents";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import { isEnd, Peer } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

describe("chat.send", () => {
	it("answers with the run before any event of it, even to a socket that subscribes", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		await peer.call("chat.subscribe", { sessionKey, after: 0 });
		for (let i = 0; i < 20; i++) {
			const { runId } = await peer.chat(sessionKey, `/stream 5 words`);
			const answered = peer.frames.findIndex(({ result }) => result?.runId === runId);
			const first = peer.frames.findIndex(({ data }) => data?.runId === runId);
			expect(first).toBeGreaterThan(answered);
		}
	});

	it("stores the answer before it says that it is final", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.chat(sessionKey, "Hello");
		const sessions = gateway.store.collection("sessions");
		const { entries } = await sessions.tail(sessionKey, "transcript", 10);
		expect(entries.map(({ event }) => event)).toMatchObject([
			{ role: "user", content: "Hello", runId },
			{ role: "assistant", content: peer.said(runId), runId, status: "success" },
		]);
	});

	it("stores an error too, with what was said before it", async () => {
		const run: Agent["run"] = async function* () {
			yield say("Half an ");
			throw new AgentFailure("broken", "The model broke.", { retryable: true });
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId, end } = await peer.chat(sessionKey, "Hello");
		const error = { message: "The model broke.", code: "broken", retryable: true };
		expect(end).toMatchObject({ event: "chat.error", data: { runId, ...error } });
		const { messages } = await peer.call("chat.history", { sessionKey });
		expect(messages).toMatchObject([
			{ role: "user", content: "Hello" },
			{ role: "assistant", content: "Half an ", status: "error", error: "The model broke." },
		]);
	});

	it("queues a second message during a run; each has one end, in order", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const messages = ["/stream 30 words every 5ms", "/stream 3 words", "/stream 4 words"];
		const sent = await Promise.all(
			messages.map((message) => peer.call("chat.send", { sessionKey, message })),
		);
		const runs = sent.map(({ runId }) => String(runId));
		await peer.end(runs[2]!);
		expect(runs.map((runId) => peer.said(runId))).toEqual(messages.map(textOf));
		const ends = peer.frames.filter(({ event }) => isEnd(event));
		expect(ends.map(({ data }) => data?.runId)).toEqual(runs);
	});

	it.each([
		["reject", { code: 409, data: { type: "busy", retryable: true } }],
		["interrupt", undefined],
	])("whenBusy %s", async (whenBusy, refusal) => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const long = { sessionKey, message: "/stream 500 words every 10ms" };
		const { runId } = await peer.call<{ runId: string }>("chat.send", long);
		await peer.frame(({ event }) => event === "chat.delta");
		const second = await peer.ask("chat.send", { sessionKey, message: "Hello", whenBusy });
		if (refusal) {
			expect(second.error).toMatchObject(refusal);
			await peer.call("chat.abort", { runId });
		}
		expect(await peer.end(runId)).toMatchObject({ data: { aborted: true } });
		if (!refusal) {
			const end = await peer.end(String(second.result?.runId));
			expect(end.event).toBe("chat.final");
		}
	});

	it("the same idempotency key again is the same turn, and with another message a conflict", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const params = { sessionKey, message: "Hello", idempotencyKey: "k1" };
		const first = await peer.call("chat.send", params);
		const again = await peer.call("chat.send", params);
		expect(again).toEqual({ ...first, repeated: true });
		const other = await peer.ask("chat.send", { ...params, message: "Other" });
		expect(other.error).toMatchObject({ code: 409, data: { type: "conflict" } });
		await peer.end(String(first.runId));
		const { messages } = await peer.call("chat.history", { sessionKey });
		expect(messages).toHaveLength(2);
	});

	it("a message that is sent again on its socket is told once, during its turn and after it", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const message = "/stream 30 words every 5ms";
		const params = { sessionKey, message, idempotencyKey: "k1" };
		const { runId } = await peer.call<{ runId: string }>("chat.send", params);
		await peer.frame(({ event }) => event === "chat.delta");
		await peer.call("chat.send", params);
		await peer.end(runId);
		await peer.call("chat.send", params);
		await peer.chat(sessionKey, "/stream 3 words");
		expect(peer.said(runId)).toBe(textOf(message));
		const told = seqs(peer.events(undefined, runId));
		expect(told).toEqual([...new Set(told)]);
		expect(peer.events("chat.final", runId)).toHaveLength(1);
	});

	it.each([
		[{ sessionKey: "not-a-uuid", message: "x" }, -32602],
		[{ sessionKey: "../../etc/passwd", message: "x" }, -32602],
		[{ message: "x" }, -32602],
		[{ sessionKey: randomUUID(), message: "" }, -32602],
		[{ sessionKey: randomUUID(), message: "x".repeat(32_001) }, -32602],
		[{ sessionKey: randomUUID(), message: 5 }, -32602],
		[{ sessionKey: randomUUID(), message: "x" }, 404],
	])("refuses %j with %i", async (params, code) => {
		gateway = await openGateway();
		const peer = await gateway.open();
		expect((await peer.ask("chat.send", params)).error?.code).toBe(code);
	});

	it("takes a message of 32,000 characters of any kind, and gives it back as it was", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const message = `${"é\u0000\ud83c\udf89\n".repeat(6_400)}`;
		expect(message).toHaveLength(32_000);
		await peer.chat(sessionKey, message);
		const { messages } = await peer.call<{ messages: { content: string }[] }>("chat.history", {
			sessionKey,
		});
		expect(messages[0]?.content).toBe(message);
	});
});

it("a socket that goes away stops nothing", async () => {
	gateway = await openGateway();
	const peer = await gateway.open();
	const sessionKey = await peer.createSession();
	const message = "/stream 60 words every 5ms";
	const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
	await peer.frame(({ event }) => event === "chat.delta");
	peer.ws.terminate();
	const other = await Peer.open(gateway.url, TOKEN);
	await other.call("chat.wait", { sessionKey, runId });
	const { messages } = await other.call<{ messages: { content: string }[] }>("chat.history", {
		sessionKey,
	});
	expect(messages[1]?.content).toBe(textOf(message));
});
