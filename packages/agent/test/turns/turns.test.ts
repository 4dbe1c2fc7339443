import type { Json } from "@baton/session";
import { requirePart, waitFor } from "@baton/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Agent, AgentFailure, TurnAborted } from "../../src/agent";
import {
	openRequest,
	type SessionValue,
	TRANSCRIPT,
	Turns,
	type TurnsOptions,
} from "../../src/index";
import { hang, say, scriptedAgent } from "./scripted-agent";
import { STORES, stopRedis, type TestStore } from "./stores";

type Event = { type: string; run_id?: string; status?: string } & Record<string, Json>;

const kinds = requirePart("redis-server") ? ["memory", "files", "redis"] : ["memory", "files"];

afterAll(stopRedis);

describe.each(kinds)("turns on %s", (kind) => {
	let testStore: TestStore;
	const turnsOpen: Turns[] = [];
	const warnings: string[] = [];

	beforeEach(async () => {
		testStore = await STORES[kind]!();
		warnings.length = 0;
	});
	afterEach(async () => {
		for (const turns of turnsOpen.splice(0)) await turns.close();
		await testStore.dispose();
		expect(warnings).toEqual([]);
	});

	async function openTurns(agent: Agent, options: Partial<TurnsOptions> = {}) {
		const store = await testStore.open();
		const sessions = store.collection<SessionValue>("sessions");
		const turns = new Turns({
			sessions,
			agents: () => agent,
			holder: "test",
			log: { warn: (details, message) => warnings.push(`${message} ${String(details.error)}`) },
			...options,
		});
		turnsOpen.push(turns);
		return { turns, sessions, store };
	}

	/** Follows from the start until the given runs have ended. */
	async function untilEnded(turns: Turns, sessionId: string, runs: number): Promise<Event[]> {
		const events: Event[] = [];
		for await (const { entries } of turns.follow(sessionId)) {
			for (const entry of entries) events.push(entry.event as Event);
			if (events.filter(({ type }) => type === "result").length >= runs) break;
		}
		return events;
	}

	/** Memory keeps nothing past its store, so there is no restart to test. */
	const itIfDurable = kind === "memory" ? () => {} : it;

	const create = (turns: Turns) =>
		turns.create({ agentId: "scripted", owner: "ada", door: "test" });

	it("lets an agent take back what it said, and tells it whose session it serves", async () => {
		const { turns, sessions } = await openTurns(
			scriptedAgent(async function* (turn) {
				yield { type: "message", role: "assistant", content: "Wrong ", delta: true };
				yield { type: "message", role: "assistant", content: "answer", delta: true };
				yield { type: "retract", reason: "validation" };
				yield { type: "message", role: "assistant", content: `Hello ${turn.owner}`, delta: true };
				return undefined;
			}),
		);
		const { key } = await create(turns);
		const { runId } = await turns.send(key, { content: "hi" });
		const events = await untilEnded(turns, key, 1);
		const retract = events.findIndex(({ type }) => type === "retract");
		expect(events[retract]).toEqual({
			type: "retract",
			run_id: runId,
			up_to: retract,
			reason: "validation",
		});
		const { entries } = await sessions.tail(key, TRANSCRIPT, 1);
		expect(entries[0]?.event).toMatchObject({ role: "assistant", content: "Hello ada" });
	});

	it("tells an agent apart whether it was stopped or left to another process", async () => {
		const reasons: unknown[] = [];
		const agent = scriptedAgent(async function* (turn) {
			yield { type: "message", role: "assistant", content: "working", delta: true };
			await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
			reasons.push(turn.signal.reason);
			return undefined;
		});
		const { turns } = await openTurns(agent);
		const stopped = await create(turns);
		await turns.send(stopped.key, { content: "hi" });
		await waitFor(async () => (await turns.position(stopped.key)).last >= 3);
		await turns.abort(stopped.key);
		await untilEnded(turns, stopped.key, 1);
		const left = await create(turns);
		await turns.send(left.key, { content: "hi" });
		await waitFor(async () => (await turns.position(left.key)).last >= 3);
		await turns.close();
		expect(reasons.map((reason) => reason instanceof TurnAborted)).toEqual([true, false]);
	});

	it("runs a turn from its input to its one result", async () => {
		const { turns, sessions } = await openTurns(scriptedAgent(say("Hello ", "world")));
		const { key } = await create(turns);
		const { runId, seq } = await turns.send(key, { content: "hi" });
		const events = await untilEnded(turns, key, 1);
		expect(seq).toBe(1);
		expect(events.map(({ type }) => type)).toEqual([
			"input_admitted",
			"init",
			"message",
			"message",
			"result",
		]);
		expect(events.every((event) => event.run_id === runId)).toBe(true);
		expect(events[1]).toMatchObject({ session_id: key, agent: "scripted" });
		expect(events.at(-1)).toMatchObject({ status: "success" });
		const rows = (await sessions.read(key, TRANSCRIPT)).entries.map((entry) => entry.event);
		expect(rows).toMatchObject([
			{ role: "user", content: "hi", runId },
			{ role: "assistant", content: "Hello world", runId, status: "success" },
		]);
		await waitFor(async () => (await turns.state(key)).runner === null);
		expect(await turns.state(key)).toMatchObject({
			running: null,
			queued: [],
			last: 5,
			turnSeq: 1,
		});
	});

	it("runs two concurrent sends one after the other", async () => {
		let inside = 0;
		const { turns } = await openTurns(
			scriptedAgent(async function* () {
				expect(++inside).toBe(1);
				yield { type: "message", role: "assistant", content: "a", delta: true };
				await new Promise((resolve) => setImmediate(resolve));
				inside--;
				return undefined;
			}),
		);
		const { key } = await create(turns);
		const sent = await Promise.all([1, 2, 3, 4].map((n) => turns.send(key, { content: `${n}` })));
		const events = await untilEnded(turns, key, 4);
		const results = events.filter(({ type }) => type === "result");
		expect(results.map((event) => event.status)).toEqual(Array(4).fill("success"));
		expect(results.map((event) => event.run_id).sort()).toEqual(
			sent.map(({ runId }) => runId).sort(),
		);
	});

	it("gives the agent the conversation so far, turn by turn", async () => {
		const seen: unknown[] = [];
		const { turns } = await openTurns(
			scriptedAgent(async function* (turn) {
				seen.push((await turn.history()).map(({ role, content }) => `${role}: ${content}`));
				yield {
					type: "message",
					role: "assistant",
					content: `re ${turn.input.content}`,
					delta: true,
				};
				return undefined;
			}),
		);
		const { key } = await create(turns);
		await Promise.all(["one", "two"].map((content) => turns.send(key, { content })));
		await turns.send(key, { content: "three" });
		await untilEnded(turns, key, 3);
		const [first, second] = (seen[2] as string[]).filter((line) => line.startsWith("user"));
		expect(seen[0]).toEqual([]);
		expect(seen[2]).toEqual([
			first,
			first?.replace("user: ", "assistant: re "),
			second,
			second?.replace("user: ", "assistant: re "),
		]);
	});

	it("returns the first turn for the same idempotency key, and refuses it for another input", async () => {
		const { turns } = await openTurns(scriptedAgent(say("x")));
		const { key } = await create(turns);
		const first = await turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		const again = await turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		expect(again).toEqual({ ...first, repeated: true });
		await expect(
			turns.send(key, { content: "other" }, { idempotencyKey: "k" }),
		).rejects.toMatchObject({ code: "conflict" });
		await untilEnded(turns, key, 1);
		await turns.send(key, { content: "next" });
		const events = await untilEnded(turns, key, 2);
		expect(events.filter(({ type }) => type === "input_admitted")).toHaveLength(2);
	});

	itIfDurable("remembers idempotency keys after a restart", async () => {
		const before = await openTurns(scriptedAgent(say("x")));
		const { key } = await create(before.turns);
		const first = await before.turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		await untilEnded(before.turns, key, 1);
		await before.turns.close();
		const after = await openTurns(scriptedAgent(say("x")));
		const again = await after.turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		expect(again).toEqual({ ...first, repeated: true });
	});

	it("stops a running turn, keeps what was said, and stops it once", async () => {
		const { turns, sessions } = await openTurns(scriptedAgent(hang()));
		const { key } = await create(turns);
		const { runId } = await turns.send(key, { content: "hi" });
		await waitFor(async () => (await sessions.state(key, "events")).last >= 3);
		await Promise.all([turns.abort(key, runId), turns.abort(key, runId)]);
		const events = await untilEnded(turns, key, 1);
		expect(events.at(-1)).toMatchObject({ type: "result", status: "aborted", run_id: runId });
		const [, row] = (await sessions.read(key, TRANSCRIPT)).entries;
		expect(row?.event).toMatchObject({ content: "working", status: "aborted" });
		await turns.abort(key, runId);
		await waitFor(async () => (await turns.state(key)).runner === null);
		const results = (await sessions.read(key, "events")).entries.filter(
			(entry) => (entry.event as Event).type === "result",
		);
		expect(results).toHaveLength(1);
	});

	it("drops a queued turn that is aborted before it starts", async () => {
		let started = 0;
		const { turns } = await openTurns(scriptedAgent(hang(() => started++)));
		const { key } = await create(turns);
		const first = await turns.send(key, { content: "one" });
		const second = await turns.send(key, { content: "two" });
		await waitFor(() => started === 1);
		await turns.abort(key, second.runId);
		await turns.abort(key, first.runId);
		const events = await untilEnded(turns, key, 2);
		const ends = Object.fromEntries(
			events.filter(({ type }) => type === "result").map((event) => [event.run_id, event.status]),
		);
		expect(ends).toEqual({ [first.runId]: "aborted", [second.runId]: "dropped" });
		expect(started).toBe(1);
	});

	it("ends every open turn on an abort of the session", async () => {
		const { turns, sessions } = await openTurns(scriptedAgent(hang()));
		const { key } = await create(turns);
		for (const content of ["one", "two", "three"]) await turns.send(key, { content });
		await waitFor(async () => (await sessions.state(key, "events")).last >= 4);
		await turns.abort(key);
		const results = (await untilEnded(turns, key, 3)).filter(({ type }) => type === "result");
		expect(results.map((event) => event.status)).toEqual(["aborted", "dropped", "dropped"]);
	});

	it("refuses a send as busy when asked to, and lets exactly one of two through", async () => {
		const { turns } = await openTurns(scriptedAgent(hang()));
		const { key } = await create(turns);
		const sends = await Promise.allSettled(
			["one", "two"].map((content) => turns.send(key, { content }, { whenBusy: "reject" })),
		);
		expect(sends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		const refused = sends.find(({ status }) => status === "rejected") as PromiseRejectedResult;
		expect(refused.reason).toMatchObject({ code: "busy", retryable: true });
		await turns.abort(key);
		await untilEnded(turns, key, 1);
		await expect(
			turns.send(key, { content: "three" }, { whenBusy: "reject" }),
		).resolves.toMatchObject({ repeated: false });
	});

	it("interrupts what runs when asked to, and goes next", async () => {
		let first = true;
		const { turns, sessions } = await openTurns(
			scriptedAgent(async function* (turn) {
				if (!first) return yield* say("second")(turn);
				first = false;
				return yield* hang()(turn);
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "one" });
		await waitFor(async () => (await sessions.state(key, "events")).last >= 3);
		await turns.send(key, { content: "two" }, { whenBusy: "interrupt" });
		const results = (await untilEnded(turns, key, 2)).filter(({ type }) => type === "result");
		expect(results.map((event) => event.status)).toEqual(["aborted", "success"]);
	});

	it("asks the client, and hands the answer to the agent", async () => {
		const { turns } = await openTurns(
			scriptedAgent(async function* (turn) {
				yield { type: "message", role: "assistant", content: "Let me see. ", delta: true };
				const answer = await turn.ask({ type: "snapshot_request", instruction: "read" });
				const { fields } = answer as { fields: unknown[] };
				yield {
					type: "message",
					role: "assistant",
					content: `${fields.length} fields`,
					delta: true,
				};
				return undefined;
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		const [request] = await waitFor(async () => {
			const { pending } = await turns.state(key);
			return pending.length > 0 ? pending : null;
		});
		await turns.respond(key, {
			type: "snapshot_response",
			requestId: request!.requestId,
			fields: [{}, {}],
		});
		const events = await untilEnded(turns, key, 1);
		expect(events.map(({ type }) => type)).toEqual([
			"input_admitted",
			"init",
			"message",
			"snapshot_request",
			"request_answered",
			"message",
			"result",
		]);
		expect(events[5]).toMatchObject({ content: "2 fields" });
		expect((await turns.state(key)).pending).toEqual([]);
	});

	it("closes a pending request when its turn is aborted", async () => {
		const { turns } = await openTurns(
			scriptedAgent(async function* (turn) {
				await turn.ask({ type: "snapshot_request", instruction: "read" });
				yield { type: "message", role: "assistant", content: "never", delta: true };
				return undefined;
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		const [request] = await waitFor(async () => {
			const { pending } = await turns.state(key);
			return pending.length > 0 ? pending : null;
		});
		await turns.abort(key);
		const events = await untilEnded(turns, key, 1);
		expect(events.slice(-2)).toMatchObject([
			{ type: "request_closed", reason: "aborted" },
			{ type: "result", status: "aborted" },
		]);
		await expect(
			turns.respond(key, {
				type: "snapshot_response",
				requestId: request!.requestId,
				fields: [],
			}),
		).rejects.toMatchObject({ code: "over" });
	});

	it("closes what a tool process asked and no longer waits for, when the turn ends", async () => {
		const { turns, sessions } = await openTurns(
			scriptedAgent(async function* (turn) {
				// As an MCP server of a command-line agent does, over HTTP.
				const request = { type: "snapshot_request", instruction: "read" } as const;
				await openRequest(sessions, turn.sessionId, request, { runId: turn.runId });
				yield { type: "message", role: "assistant", content: "never mind", delta: true };
				return undefined;
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		const events = await untilEnded(turns, key, 1);
		expect(events.slice(-2)).toMatchObject([
			{ type: "request_closed", reason: "ended" },
			{ type: "result", status: "success" },
		]);
		expect((await turns.state(key)).pending).toEqual([]);
	});

	it("ends a turn whose agent fails with the reason, never an empty success", async () => {
		const { turns } = await openTurns(
			scriptedAgent(async function* () {
				yield { type: "message", role: "assistant", content: "half", delta: true };
				throw new AgentFailure("quota", "The model's quota is used up.", { retryable: true });
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		expect((await untilEnded(turns, key, 1)).at(-1)).toMatchObject({
			status: "error",
			error: { type: "quota", message: "The model's quota is used up.", retryable: true },
		});
	});

	it("ends a turn whose agent cannot be had with the reason", async () => {
		const { turns } = await openTurns(scriptedAgent(say("x")), {
			agents: () => {
				throw new AgentFailure("missing_key", "Set ANTHROPIC_API_KEY.");
			},
		});
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		expect((await untilEnded(turns, key, 1)).at(-1)).toMatchObject({
			status: "error",
			error: { type: "missing_key", message: "Set ANTHROPIC_API_KEY." },
		});
	});

	it("ends a turn whose agent does not stop when it is told to", async () => {
		const { turns, sessions } = await openTurns(
			scriptedAgent(async function* () {
				yield { type: "message", role: "assistant", content: "deaf", delta: true };
				await new Promise(() => {});
				return undefined;
			}),
			{ stopMs: 50 },
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		await waitFor(async () => (await sessions.state(key, "events")).last >= 3);
		await turns.abort(key);
		expect((await untilEnded(turns, key, 1)).at(-1)).toMatchObject({ status: "aborted" });
	});

	it("keeps what an agent remembers for its next turn", async () => {
		const { turns } = await openTurns(
			scriptedAgent(async function* (turn) {
				const count = Number(turn.memory.get().count ?? 0) + 1;
				await turn.memory.set({ count, gone: null });
				yield { type: "message", role: "assistant", content: `${count}`, delta: true };
				return undefined;
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "one" });
		await turns.send(key, { content: "two" });
		const texts = (await untilEnded(turns, key, 2)).filter(({ type }) => type === "message");
		expect(texts.map((event) => event.content)).toEqual(["1", "2"]);
	});

	itIfDurable("leaves a running turn to be recovered when its process stops", async () => {
		const before = await openTurns(scriptedAgent(hang()));
		const { key } = await create(before.turns);
		const { runId } = await before.turns.send(key, { content: "hi" });
		await waitFor(async () => (await before.sessions.state(key, "events")).last >= 3);
		await before.turns.close();
		const after = await openTurns(scriptedAgent(say("again")));
		const events = await untilEnded(after.turns, key, 1);
		expect(events.slice(3)).toMatchObject([
			{ type: "handed_over", run_id: runId },
			{ type: "retract", run_id: runId, up_to: 4 },
			{ type: "recovered", policy: "retry", attempt: 2, losses: 0 },
			{ type: "message", content: "again" },
			{ type: "result", status: "success", run_id: runId },
		]);
		const rows = (await after.sessions.read(key, TRANSCRIPT)).entries.map((entry) => entry.event);
		expect(rows).toMatchObject([{ content: "hi" }, { content: "again" }]);
	});

	it("lets running turns finish when there is time to", async () => {
		const { turns, sessions } = await openTurns(
			scriptedAgent(async function* () {
				yield { type: "message", role: "assistant", content: "a", delta: true };
				await new Promise((resolve) => setTimeout(resolve, 50));
				return undefined;
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "hi" });
		await waitFor(async () => (await sessions.state(key, "events")).last >= 3);
		await turns.close(5_000);
		const { entries } = await sessions.tail(key, "events", 1);
		expect(entries[0]?.event).toMatchObject({ type: "result", status: "success" });
	});
});
