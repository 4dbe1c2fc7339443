import { waitFor } from "@baton/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { TurnAborted } from "../../src/agent";
import { TRANSCRIPT } from "../../src/index";
import { hang, say, scriptedAgent } from "./scripted-agent";
import { stopRedis } from "./stores";
import { create, type Event, KINDS, untilEnded, useTurns } from "./use-turns";

afterAll(stopRedis);

describe.each(KINDS)("turns on %s", (kind) => {
	const openTurns = useTurns(kind);
	/** Memory keeps nothing past its store, so there is no restart to test. */
	const itIfDurable = kind === "memory" ? () => {} : it;

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
