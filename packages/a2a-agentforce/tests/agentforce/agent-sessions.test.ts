import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Agentforce, KINDS, openAgentforce, stopRedis } from "./agent-fixture";

const NEVER = new AbortController().signal;

afterAll(stopRedis);

describe.each(KINDS)("the Agentforce agent on %s", (kind) => {
	let at: Agentforce;
	beforeEach(async () => {
		at = await openAgentforce(kind);
	});
	afterEach(() => at.stop());

	/** Elsewhere nobody else can have it. */
	const itIfShared = kind === "Redis" ? it : () => {};

	it("keeps one Agentforce session for a conversation, and counts its messages", async () => {
		const key = await at.create();
		await at.ask(key, "My name is Ada");
		const { events } = await at.ask(key, "What is my name?");
		expect(events.map(({ content }) => content).join("")).toBe("Your name is Ada.");
		expect(at.callsTo("start")).toHaveLength(1);
		expect(at.sequenceIds()).toEqual([1, 2]);
	});

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
		expect(at.sequenceIds()).toEqual([1, 1]);
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
		expect(at.sequenceIds()).toEqual([1, 2, 1]);
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
		expect(at.sequenceIds()).toEqual([1, 1]);
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
		expect(at.sequenceIds()).toEqual([1, 2]);
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
		expect(at.sequenceIds().sort()).toEqual([
			1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4,
		]);
		expect(at.callsTo("start")).toHaveLength(5);
	});

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
});
