import { waitFor } from "@baton/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { AgentFailure } from "../../src/agent";
import { openRequest, TRANSCRIPT } from "../../src/index";
import { say, scriptedAgent } from "./scripted-agent";
import { stopRedis } from "./stores";
import { create, KINDS, untilEnded, useTurns } from "./use-turns";

afterAll(stopRedis);

describe.each(KINDS)("turns on %s", (kind) => {
	const openTurns = useTurns(kind);

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
});
