import { randomUUID } from "node:crypto";
import { type Agent, type AgentEvent, AgentFailure } from "@baton/agent";
import { demoPieces } from "@baton/agent/demo";
import { BatonError } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BOB, type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import { type Frame, isEnd, Peer } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

const textOf = (message: string) => [...demoPieces(message)].join("");
const seqs = (frames: Frame[]) => frames.map(({ data }) => Number(data?.seq));
const scripted = (run: Agent["run"], recovery: Agent["recovery"] = "retry"): Agent => ({
	name: "scripted",
	recovery,
	run,
});
const say = (content: string, delta = true): AgentEvent => ({
	type: "message",
	role: "assistant",
	content,
	delta,
});

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

describe("chat.abort", () => {
	it("answers when the wish is stored; one that was not can be asked for again", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.call<{ runId: string }>("chat.send", {
			sessionKey,
			message: "/wait 60s",
		});
		await peer.frame(({ event }) => event === "chat.started");
		const away = new BatonError("unavailable", "The store is away.");
		vi.spyOn(gateway.turns, "abort").mockRejectedValueOnce(away);
		const refused = await peer.ask("chat.abort", { runId });
		expect(refused.error).toMatchObject({ code: 503, data: { retryable: true } });
		expect(await peer.call("chat.abort", { runId })).toEqual({ aborted: true });
		const { entries } = await gateway.store.collection("sessions").tail(sessionKey, "events", 50);
		expect(entries.map(({ json }) => json).join()).toContain("abort_requested");
		expect(await peer.end(runId)).toMatchObject({ data: { aborted: true } });
	});

	it("reaches the agent, stores what was said, and ends the turn once", async () => {
		let stopped = false;
		const run: Agent["run"] = async function* ({ signal }) {
			yield say("Half");
			await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
			stopped = true;
			return undefined;
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.call("chat.send", { sessionKey, message: "Go" });
		await peer.frame(({ event }) => event === "chat.delta");
		expect(await peer.call("chat.abort", { runId })).toEqual({ aborted: true });
		const end = await peer.end(String(runId));
		expect(end).toMatchObject({ event: "chat.error", data: { runId, aborted: true } });
		expect(stopped).toBe(true);
		const { messages } = await peer.call("chat.history", { sessionKey });
		expect(messages).toMatchObject([
			{ role: "user" },
			{ role: "assistant", content: "Half", status: "aborted" },
		]);
		expect(await peer.call("chat.abort", { runId })).toEqual({ aborted: false });
		expect(peer.frames.filter(({ event }) => isEnd(event))).toHaveLength(1);
	});

	it("is told as chat.aborted to those who asked for it, and to them alone", async () => {
		gateway = await openGateway();
		const asked = await gateway.open(TOKEN, { events: ["chat.aborted"] });
		const plain = await gateway.open();
		const sessionKey = await asked.createSession();
		for (const peer of [asked, plain]) await peer.call("chat.subscribe", { sessionKey, after: 0 });
		const message = "/stream 500 words every 10ms";
		const { runId } = await asked.call<{ runId: string }>("chat.send", { sessionKey, message });
		await plain.frame(({ event }) => event === "chat.delta");
		await plain.call("chat.abort", { runId, sessionKey });
		expect((await asked.end(runId)).event).toBe("chat.aborted");
		expect((await plain.end(runId)).event).toBe("chat.error");
		for (const peer of [asked, plain]) {
			expect(peer.frames.filter(({ event }) => isEnd(event))).toHaveLength(1);
		}
	});

	it("drops a message that waits, and leaves the one that runs", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const message = "/stream 40 words every 5ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		const waiting = await peer.call<{ runId: string }>("chat.send", { sessionKey, message: "Hi" });
		await peer.call("chat.abort", { runId: waiting.runId });
		expect(await peer.end(waiting.runId)).toMatchObject({ data: { dropped: true } });
		expect(await peer.end(runId)).toMatchObject({ event: "chat.final" });
		expect(peer.said(runId)).toBe(textOf(message));
	});

	it("of someone else's run does nothing", async () => {
		gateway = await openGateway();
		const [mine, bobs] = [await gateway.open(), await gateway.open(BOB)];
		const sessionKey = await mine.createSession();
		const message = "/stream 40 words every 5ms";
		const { runId } = await mine.call<{ runId: string }>("chat.send", { sessionKey, message });
		expect(await bobs.call("chat.abort", { runId })).toEqual({ aborted: false });
		expect((await bobs.ask("chat.abort", { runId, sessionKey })).error?.code).toBe(404);
		expect((await mine.end(runId)).event).toBe("chat.final");
	});
});

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

describe("what an agent does", () => {
	it("tools, whole messages, requests and unknown events have their frames", async () => {
		const run: Agent["run"] = async function* () {
			yield say("First.", false);
			yield { type: "tool_use", tool_id: "t1", tool_name: "look", parameters: { at: "it" } };
			yield { type: "tool_result", tool_id: "t1", status: "success", output: "seen" };
			yield say("Second.", false);
			yield { type: "progress", message: "Thinking" };
			yield { type: "of_tomorrow", anything: [1] };
			return { notice: "By the way." };
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId, end } = await peer.chat(sessionKey, "Go");
		expect(peer.said(runId)).toBe("First.\n\nSecond.");
		expect(peer.events("chat.tool")).toMatchObject([
			{ data: { phase: "start", toolId: "t1", toolName: "look", parameters: { at: "it" } } },
			{ data: { phase: "end", toolId: "t1", status: "success", output: "seen" } },
		]);
		const others = peer.events("chat.event").map(({ data }) => data?.event);
		expect(others).toMatchObject([
			{ type: "progress", message: "Thinking" },
			{ type: "of_tomorrow", anything: [1] },
		]);
		expect(end.data).toMatchObject({ servedBy: "scripted", notice: "By the way." });
		const { messages } = await peer.call<{ messages: { content: string }[] }>("chat.history", {
			sessionKey,
		});
		expect(messages[1]?.content).toBe("First.\n\nSecond.");
	});

	it("text that an agent takes back is retracted", async () => {
		const run: Agent["run"] = async function* () {
			yield say("Wrong.");
			yield { type: "retract", reason: "mistaken" };
			yield say("Right.");
			return undefined;
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.chat(sessionKey, "Go");
		expect(peer.events("chat.retract")).toMatchObject([{ data: { reason: "mistaken" } }]);
		expect(peer.said(runId)).toBe("Right.");
	});
});

describe("chat.history and chat.wait", () => {
	it("history has the running turn's text so far, and subscribing after it misses nothing", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		await peer.chat(sessionKey, "Hello");
		const message = "/stream 300 words every 2ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		const queued = await peer.call<{ runId: string }>("chat.send", { sessionKey, message: "Hi" });
		await peer.frame(({ data }) => data?.text === "w50 ");
		const reader = await gateway.open();
		const history = await reader.call<{
			partial: { runId: string; text: string };
			queued: string[];
			seq: number;
			messages: object[];
		}>("chat.history", { sessionKey });
		expect(history.partial.runId).toBe(runId);
		expect(history.queued).toEqual([queued.runId]);
		expect(textOf(message).startsWith(history.partial.text)).toBe(true);
		expect(history.partial.text).toContain("w50");
		await reader.call("chat.subscribe", { sessionKey, after: history.seq });
		await reader.end(runId);
		expect(history.partial.text + reader.said(runId)).toBe(textOf(message));
	});

	it("history pages backwards through a long conversation", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		for (let i = 1; i <= 6; i++) await peer.chat(sessionKey, `/stream ${i} words`);
		type Page = { messages: { content: string }[]; first: number; hasMore: boolean };
		const contents: string[] = [];
		let before: number | undefined;
		let pages = 0;
		for (;;) {
			const page = await peer.call<Page>("chat.history", { sessionKey, limit: 5, before });
			contents.unshift(...page.messages.map(({ content }) => content));
			before = page.first;
			pages++;
			if (!page.hasMore) break;
		}
		expect(pages).toBe(3);
		expect(contents.filter((content) => content.startsWith("/stream"))).toHaveLength(6);
		expect(contents).toHaveLength(12);
	});

	it("wait answers when the turn has ended, how it ended, and while it runs at the timeout", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const message = "/stream 40 words every 5ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		const wait = (more: object = {}) => peer.call("chat.wait", { sessionKey, runId, ...more });
		expect(await wait({ timeoutMs: 0 })).toEqual({ runId, status: "running" });
		expect(await wait({ timeoutMs: 20 })).toEqual({ runId, status: "running" });
		const waiting = wait();
		// Others go past it.
		await peer.call("health.check");
		expect(await waiting).toEqual({ runId, status: "success" });
		expect(await wait()).toEqual({ runId, status: "success" });
		const failing = await peer.chat(sessionKey, "/fail on purpose");
		const failed = await peer.call("chat.wait", { sessionKey, runId: failing.runId });
		expect(failed).toMatchObject({ status: "error", error: "on purpose" });
		const unknown = await peer.ask("chat.wait", { sessionKey, runId: randomUUID() });
		expect(unknown.error?.code).toBe(404);
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
