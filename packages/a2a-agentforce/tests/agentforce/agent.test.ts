import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Agentforce, KINDS, openAgentforce, stopRedis } from "./agent-fixture";

afterAll(stopRedis);

describe.each(KINDS)("the Agentforce agent on %s", (kind) => {
	let at: Agentforce;
	beforeEach(async () => {
		at = await openAgentforce(kind);
	});
	afterEach(() => at.stop());

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
			expect(at.sequenceIds()).toEqual([1, 2]);
		},
	);

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
