import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { seqs, textOf } from "./support/agents";
import { type GatewayFixture, openGateway } from "./support/gateway-fixture";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

describe("chat.subscribe", () => {
	it("replays, then follows, on any number of sockets: every event once, in order", async () => {
		gateway = await openGateway();
		const sender = await gateway.open();
		const sessionKey = await sender.createSession();
		await sender.chat(sessionKey, "Hello");
		const readers = await Promise.all([1, 2, 3].map(() => gateway.open()));
		await Promise.all(
			readers.map((reader) => reader.call("chat.subscribe", { sessionKey, after: 0 })),
		);
		const message = "/stream 200 words every 1ms";
		const { runId } = await sender.call<{ runId: string }>("chat.send", { sessionKey, message });
		await readers[0]!.frame(({ data }) => data?.text === "w100 ");
		const late = await gateway.open();
		await late.call("chat.subscribe", { sessionKey, after: 0 });
		for (const reader of [...readers, late]) {
			await reader.end(runId);
			expect(reader.said(runId)).toBe(textOf(message));
			const numbers = seqs(reader.events());
			expect(numbers).toEqual(numbers.map((_, i) => i + 1));
			const [first] = reader.events("chat.message");
			expect(first?.data).toMatchObject({ role: "user", content: "Hello" });
		}
	});

	it("goes on after a cursor: nothing twice, nothing missed", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.chat(sessionKey, "/stream 50 words");
		const all = await gateway.open();
		await all.call("chat.subscribe", { sessionKey, after: 0 });
		await all.end(runId);
		for (const after of [1, 7, 25]) {
			const reader = await gateway.open();
			await reader.call("chat.subscribe", { sessionKey, after });
			await reader.end(runId);
			expect(reader.events()).toEqual(all.events().filter(({ data }) => Number(data?.seq) > after));
		}
	});

	it("without a cursor starts with the turn that runs", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		await peer.chat(sessionKey, "Hello");
		const message = "/stream 60 words every 30ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		await peer.frame(({ data }) => data?.text === "w20 ");
		const reader = await gateway.open();
		await reader.call("chat.subscribe", { sessionKey });
		await reader.end(runId);
		expect(reader.said(runId)).toBe(textOf(message));
		expect(new Set(reader.events().map(({ data }) => data?.runId))).toEqual(new Set([runId]));
	});

	it("tells the sender's own events once, and those of others only to who subscribes", async () => {
		gateway = await openGateway();
		const [one, two] = [await gateway.open(), await gateway.open()];
		const sessionKey = await one.createSession();
		const ofOne = await one.chat(sessionKey, "/stream 10 words");
		const ofTwo = await two.chat(sessionKey, "/stream 20 words");
		expect(one.events(undefined, ofTwo.runId)).toEqual([]);
		expect(two.events(undefined, ofOne.runId)).toEqual([]);
		expect(one.events("chat.delta", ofOne.runId)).toHaveLength(10);
		await one.call("chat.subscribe", { sessionKey });
		const third = await one.chat(sessionKey, "/stream 5 words");
		expect(one.events("chat.delta", third.runId)).toHaveLength(5);
		expect(await one.call("chat.unsubscribe", { sessionKey })).toEqual({ unsubscribed: true });
		const fourth = await one.chat(sessionKey, "/stream 6 words");
		expect(one.events("chat.delta", fourth.runId)).toHaveLength(6);
	});

	it("a cursor that is no longer kept gets a reset with the conversation", async () => {
		gateway = await openGateway({ turnSettings: { keepEvents: 10 } });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		for (let i = 0; i < 5; i++) await peer.chat(sessionKey, "/stream 20 words");
		const sessions = gateway.store.collection("sessions");
		await waitFor(async () => (await sessions.state(sessionKey, "events")).first > 1);
		const reader = await gateway.open();
		await reader.call("chat.subscribe", { sessionKey, after: 1 });
		const reset = await reader.frame(({ event }) => event === "chat.reset");
		expect(reset.data).toMatchObject({ reason: "trimmed", sessionKey });
		expect(reset.data?.messages).toHaveLength(10);
		const next = await reader.frame(({ data }) => data?.runId !== undefined);
		expect(Number(next.data?.seq)).toBeGreaterThan(Number(reset.data?.seq));
	});

	it("a reset brings no more of a long conversation than one answer may have", async () => {
		const answerBytes = 100_000;
		gateway = await openGateway({ turnSettings: { keepEvents: 10 }, limits: { answerBytes } });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		for (let i = 0; i < 6; i++) await peer.chat(sessionKey, "ä".repeat(20_000));
		const sessions = gateway.store.collection("sessions");
		await waitFor(async () => (await sessions.state(sessionKey, "events")).first > 1);
		const reader = await gateway.open();
		await reader.call("chat.subscribe", { sessionKey, after: 1 });
		const { data = {} } = await reader.frame(({ event }) => event === "chat.reset");
		expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(answerBytes + 1_000);
		expect(data.hasMore).toBe(true);
		const messages = data.messages as unknown[];
		expect(messages.length).toBeGreaterThan(0);
		const before = await reader.call("chat.history", { sessionKey, before: data.first, limit: 2 });
		expect(before.first).toBe(Number(data.first) - (before.messages as unknown[]).length);
	});

	it("ends with sessions.deleted when the session is deleted", async () => {
		gateway = await openGateway();
		const [peer, reader] = [await gateway.open(), await gateway.open()];
		const sessionKey = await peer.createSession();
		await reader.call("chat.subscribe", { sessionKey });
		await peer.call("sessions.delete", { sessionKey });
		const gone = await reader.frame(({ event }) => event === "sessions.deleted");
		expect(gone.data).toEqual({ sessionKey });
		expect((await peer.ask("sessions.get", { sessionKey })).error?.code).toBe(404);
	});
});
