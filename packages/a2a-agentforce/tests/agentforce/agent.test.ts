import { requirePart } from "@baton/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Agentforce, openAgentforce, stopRedis } from "./agent-fixture";

const kinds = requirePart("redis-server") ? ["memory", "files", "Redis"] : ["memory", "files"];
const NEVER = new AbortController().signal;

afterAll(stopRedis);

describe.each(kinds)("the Agentforce agent on %s", (kind) => {
	let at: Agentforce;
	beforeEach(async () => {
		at = await openAgentforce(kind);
	});
	afterEach(() => at.stop());

	const sequenceIds = () =>
		at
			.callsTo("stream")
			.map(({ body }) => (body as { message: { sequenceId: number } }).message.sequenceId);

	it("answers in the words of Agentforce, each as it comes", async () => {
		const key = await at.create();
		const { events, result, runId } = await at.ask(key, "count to 3");
		expect(events).toMatchObject([
			{ type: "progress", message: "Thinking…" },
			{ type: "message", content: "1 ", delta: true },
			{ type: "message", content: "2 ", delta: true },
			{ type: "message", content: "3", delta: true },
		]);
		const mapping = await at.manager.getByTaskId(runId);
		expect(result).toMatchObject({
			status: "success",
			stats: { agentforce: { sessionId: mapping?.afSessionId, feedbackId: expect.any(String) } },
		});
		expect(mapping).toMatchObject({
			a2aContextId: key,
			a2aTaskIds: [runId],
			afSequenceId: 1,
			tenantId: "default",
			state: "active",
			lastTaskState: { state: "completed" },
		});
		expect(await at.saidLast(key)).toBe("1 2 3");
	});

	it("keeps one Agentforce session for a conversation, and counts its messages", async () => {
		const key = await at.create();
		await at.ask(key, "My name is Ada");
		const { events } = await at.ask(key, "What is my name?");
		expect(events.map(({ content }) => content).join("")).toBe("Your name is Ada.");
		expect(at.callsTo("start")).toHaveLength(1);
		expect(sequenceIds()).toEqual([1, 2]);
	});

	it("asks back, and names the question in what answers it", async () => {
		const key = await at.create();
		const { events, result, runId } = await at.ask(key, "/inquire");
		expect(events.slice(1)).toMatchObject([
			{ type: "message", content: "What is your order number?" },
			{ type: "input_required", reason: "inquire" },
		]);
		expect(result.status).toBe("success");
		expect(await at.manager.getTaskState(runId)).toMatchObject({
			state: { state: "input-required" },
		});
		await at.ask(key, "4711");
		expect(await at.saidLast(key)).toBe("Order 4711 is on its way.");
		await at.ask(key, "Thanks");
		const replies = at.callsTo("stream").map(({ body }) => (body as { message: object }).message);
		expect(replies[1]).toHaveProperty("inReplyToMessageId");
		expect(replies[2]).not.toHaveProperty("inReplyToMessageId");
		expect((await at.ask(key, "/confirm")).events.at(-1)).toMatchObject({
			type: "input_required",
			reason: "confirm",
		});
	});

	it("takes back what failed validation, in the log and on record", async () => {
		const key = await at.create();
		const { events } = await at.ask(key, "/retract");
		const index = events.findIndex(({ type }) => type === "retract");
		expect(events[index]).toMatchObject({ reason: "validation", up_to: index + 2 });
		expect(await at.saidLast(key)).toBe("I cannot tell you that.");
	});

	it("tells its sources", async () => {
		const { events } = await at.ask(await at.create(), "/cite");
		expect(events.at(-1)).toMatchObject({
			type: "citations",
			references: [{ value: "https://example.com/returns" }],
		});
	});

	it.each([
		["/fail", "ACTION_FAILED", "flow of the simulator"],
		["/error", "500", "Internal error of the simulator"],
	])(
		"fails at %s with a code, and leaves Salesforce's words to the log",
		async (text, code, words) => {
			const key = await at.create();
			const { result, runId } = await at.ask(key, text);
			expect(result).toMatchObject({
				status: "error",
				error: { type: "failed", retryable: true, message: expect.stringContaining(code) },
			});
			expect(JSON.stringify(result)).not.toContain(words);
			expect(at.lines.join("\n")).toContain(words);
			expect(await at.manager.getTaskState(runId)).toMatchObject({ state: { state: "failed" } });
			expect((await at.ask(key, "Hi")).result.status).toBe("success");
			expect(sequenceIds()).toEqual([1, 2]);
		},
	);

	it("hands over, ends its session for that, and starts a new one for the next message", async () => {
		const key = await at.create();
		const { events, result } = await at.ask(key, "/escalate");
		expect(events.at(-1)).toMatchObject({ type: "escalated", targets: [{ id: "support" }] });
		expect(result).toMatchObject({ status: "success", notice: expect.stringMatching(/person/) });
		expect(at.callsTo("end")[0]?.headers["x-session-end-reason"]).toBe("Transfer");
		expect(await at.manager.getByContextId(key)).toMatchObject({ state: "completed" });
		const next = await at.ask(key, "Hi");
		expect(next.events[0]).toMatchObject({ type: "context_lost", reason: "ended" });
		expect(next.result.notice).toMatch(/does not remember/);
		expect(sequenceIds()).toEqual([1, 1]);
	});

	it("never uses a session again that Agentforce ended", async () => {
		const key = await at.create();
		const { events, runId } = await at.ask(key, "/end");
		expect(events.at(-1)).toMatchObject({ type: "agent_session_ended", reason: "AgentEnded" });
		expect(await at.manager.getByContextId(key)).toMatchObject({ state: "completed" });
		expect(at.callsTo("end")).toHaveLength(0);
		const next = await at.ask(key, "Hi");
		expect(next.result.status).toBe("success");
		expect(at.callsTo("start")).toHaveLength(2);
		expect((await at.manager.getByContextId(key))?.a2aTaskIds).toEqual([runId, next.runId]);
	});

	it("recovers an expired session once, and tells that the context was lost", async () => {
		const key = await at.create();
		await at.ask(key, "My name is Ada");
		at.simulator.expireSessions();
		const { events, result } = await at.ask(key, "What is my name?");
		expect(events[0]).toMatchObject({ type: "context_lost", reason: "expired" });
		expect(events.at(-1)).toMatchObject({ type: "message" });
		expect(result).toMatchObject({
			status: "success",
			notice: expect.stringMatching(/does not remember/),
		});
		expect(await at.saidLast(key)).toBe("You have not told me.");
		expect(sequenceIds()).toEqual([1, 2, 1]);
		expect((await at.ask(key, "Hi")).result).not.toHaveProperty("notice");
	});

	it("gives up when the new session is gone too", async () => {
		const key = await at.create();
		await at.ask(key, "Hi");
		at.simulator.fault({ at: "stream", status: 404 }, 2);
		expect((await at.ask(key, "Hi")).result).toMatchObject({
			status: "error",
			error: { type: "session_gone", retryable: true },
		});
		expect(at.callsTo("stream")).toHaveLength(3);
		expect((await at.ask(key, "Hi")).result.status).toBe("success");
	});

	it("stops the call and ends the session when a person stops the turn", async () => {
		const key = await at.create();
		const { runId, seq } = await at.turns.send(key, { content: "count to 1000 every 20ms" });
		for await (const { entries } of at.turns.follow(key, { after: seq })) {
			if (entries.some(({ json }) => json.includes('"message"'))) break;
		}
		await at.turns.abort(key, runId);
		await expect.poll(() => at.callsTo("stream")[0]?.aborted).toBe(true);
		await expect
			.poll(() => at.callsTo("end")[0]?.headers["x-session-end-reason"])
			.toBe("UserRequest");
		await expect.poll(async () => (await at.manager.getByContextId(key))?.state).toBe("completed");
		const next = await at.ask(key, "Hi");
		expect(next.result.status).toBe("success");
		expect(next.events[0]).toMatchObject({ type: "context_lost", reason: "ended" });
		expect(await at.manager.getTaskState(runId)).toMatchObject({ state: { state: "canceled" } });
		expect(sequenceIds()).toEqual([1, 1]);
	});

	it("leaves the session alone when the process leaves the turn to another", async () => {
		const key = await at.create();
		await at.turns.send(key, { content: "count to 1000 every 20ms" });
		await expect.poll(() => at.callsTo("stream").length).toBe(1);
		await at.turns.close();
		await expect.poll(() => at.callsTo("stream")[0]?.aborted).toBe(true);
		expect(at.callsTo("end")).toHaveLength(0);
		expect(await at.manager.getByContextId(key)).toMatchObject({ state: "active" });
	});

	it("waits for another request of its session, wherever that runs", async () => {
		const key = await at.create();
		await at.ask(key, "Hi");
		const elsewhere = kind === "Redis" ? await at.openProcess() : at;
		const hold = await elsewhere.mappings.hold(key, NEVER);
		const asking = at.ask(key, "Hi again");
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(at.callsTo("stream")).toHaveLength(1);
		await hold.release();
		expect((await asking).result.status).toBe("success");
		expect(sequenceIds()).toEqual([1, 2]);
	});

	it("has one request of a session in flight, and gives no number twice, in two processes", async () => {
		const processes = kind === "Redis" ? [at, await at.openProcess()] : [at, at];
		const keys = await Promise.all(Array.from({ length: 5 }, () => at.create()));
		const results = await Promise.all(
			keys.flatMap((key) =>
				[0, 1, 0, 1].map((i) => at.ask(key, "count to 5", processes[i]?.turns)),
			),
		);
		expect(results.filter(({ result }) => result.status !== "success")).toEqual([]);
		// A second one would have been refused with 423, and sent again.
		expect(at.callsTo("stream")).toHaveLength(20);
		expect(sequenceIds().sort()).toEqual([
			1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4,
		]);
		expect(at.callsTo("start")).toHaveLength(5);
	});

	/** Elsewhere nobody else can have it. */
	const itIfShared = kind === "Redis" ? it : () => {};

	itIfShared("stops its call when it lost the session to another process", async () => {
		const key = await at.create();
		const asking = at.ask(key, "count to 1000 every 20ms");
		await expect.poll(() => at.callsTo("stream").length).toBe(1);
		await (await at.openProcess()).mappings.delete(key);
		expect((await asking).result).toMatchObject({
			status: "error",
			error: { type: "busy", retryable: true },
		});
		await expect.poll(() => at.callsTo("stream")[0]?.aborted).toBe(true);
		expect(at.callsTo("end")).toHaveLength(0);
	});

	it("ends a session of its own that another process was faster to replace", async () => {
		const key = await at.create();
		at.simulator.fault({ at: "start", status: 429, retryAfter: "2" });
		const asking = at.ask(key, "Hi");
		await expect.poll(() => at.callsTo("start").length).toBe(1);
		const { sessionId } = await at.client.startSession();
		await at.manager.createSession({
			contextId: key,
			taskId: "other",
			afSessionId: sessionId,
			afAgentId: at.client.agentId,
			tenantId: "default",
		});
		expect((await asking).result.status).toBe("success");
		expect(at.callsTo("stream").map((request) => request.sessionId)).toEqual([sessionId]);
		expect(at.callsTo("end")).toHaveLength(1);
	});

	it("keeps owners apart, as tenants", async () => {
		const key = await at.create("acme");
		await at.ask(key, "Hi");
		expect(await at.mappings.get(key)).toBeNull();
		expect(await at.mappings.forTenant("acme").get(key)).toMatchObject({ tenantId: "acme" });
	});

	it("tells a conversation whose session was forgotten here that its context is lost", async () => {
		const key = await at.create();
		await at.ask(key, "My name is Ada");
		await at.mappings.delete(key);
		expect((await at.ask(key, "Hi")).events[0]).toMatchObject({
			type: "context_lost",
			reason: "expired",
		});
	});

	it.each([
		["a whole answer without its end", [{ type: "Inform", message: "Hi" }], false, "Hi"],
		[
			"chunks and an end without the whole",
			[{ type: "TextChunk", message: "Hi" }],
			undefined,
			"Hi",
		],
		["an end alone", [], undefined, ""],
	] as const)("takes %s for an answer", async (_, messages, end, said) => {
		const key = await at.create();
		at.simulator.fault({ at: "stream", messages: [...messages], end });
		expect((await at.ask(key, "Hi")).result.status).toBe("success");
		expect(await at.saidLast(key)).toBe(said);
	});

	it.each([
		[
			"chunks alone",
			{ messages: [{ type: "TextChunk", message: "Hi" }], end: false as const },
			"failed",
		],
		["a stream that is cut", { cutAfter: 2 }, "failed"],
		["a server that fails", { status: 500 }, "failed"],
		["a server that refuses", { status: 400 }, "refused"],
	])("takes %s for a failure, and goes on with the next message", async (_, how, type) => {
		const key = await at.create();
		at.simulator.fault({ at: "stream", ...how });
		expect((await at.ask(key, "count to 5")).result).toMatchObject({
			status: "error",
			error: { type },
		});
		expect((await at.ask(key, "count to 3")).result.status).toBe("success");
	});

	it("fails the turn, and only that, when it cannot log in", async () => {
		const key = await at.create();
		at.simulator.fault({ at: "token", status: 400, body: { error: "invalid_client" } });
		expect((await at.ask(key, "Hi")).result).toMatchObject({
			error: { type: "unauthorized", retryable: false },
		});
		expect((await at.ask(key, "Hi")).result.status).toBe("success");
	});
});
