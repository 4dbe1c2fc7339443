import { type Collection, type Json, openStore, type Store } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Agent } from "../../src/agent";
import { type SessionValue, TRANSCRIPT, Turns, type TurnsOptions } from "../../src/index";
import { hang, say, scriptedAgent } from "./scripted-agent";
import { withMethods } from "./with-methods";

type Event = { type: string; run_id?: string; status?: string } & Record<string, Json>;
type Sessions = Collection<SessionValue>;

describe("turns that are hard to end", () => {
	let store: Store;
	let sessions: Sessions;
	const open: Turns[] = [];
	const warnings: string[] = [];

	beforeEach(async () => {
		store = await openStore({ driver: "memory" });
		sessions = store.collection<SessionValue>("sessions");
		warnings.length = 0;
	});
	afterEach(async () => {
		for (const turns of open.splice(0)) await turns.close();
		await store.close();
	});

	function openTurns(agent: Agent, options: Partial<TurnsOptions> = {}): Turns {
		const turns = new Turns({
			sessions,
			agents: () => agent,
			holder: "test",
			leaseMs: 300,
			sweepMs: 20,
			log: { warn: (_, message) => warnings.push(message) },
			...options,
		});
		open.push(turns);
		return turns;
	}

	const create = async (turns: Turns) =>
		(await turns.create({ agentId: "scripted", owner: "ada", door: "test" })).key;

	const eventsOf = async (id: string) =>
		(await sessions.read(id, "events", { limit: 10_000 })).entries.map((e) => e.event as Event);

	const ended = (id: string, runs = 1) =>
		waitFor(async () => {
			const results = (await eventsOf(id)).filter(({ type }) => type === "result");
			return results.length >= runs ? results : null;
		});

	it("ends a turn whose answer is larger than a row may be, with a row that says so", async () => {
		const piece = "x".repeat(1_000_000);
		const turns = openTurns(scriptedAgent(say(piece, piece, piece, piece, piece, piece)));
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		expect(await ended(id)).toMatchObject([{ status: "success" }]);
		const [, row] = (await sessions.read(id, TRANSCRIPT)).entries;
		expect((row!.event as Event).content).toMatch(/^x{500000}\n\n… \(cut/);
		expect(warnings).toEqual([]);
	});

	it("ends a turn whose agent fails with a reason of 5 MB, once", async () => {
		let runs = 0;
		const turns = openTurns(
			// biome-ignore lint/correctness/useYield: it only fails
			scriptedAgent(async function* () {
				runs++;
				throw new Error("y".repeat(5_000_000));
			}),
		);
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		const [result] = await ended(id);
		expect(result).toMatchObject({ status: "error", error: { type: "internal" } });
		expect(JSON.stringify(result).length).toBeLessThan(10_000);
		expect(runs).toBe(1);
	});

	it("stores forty events of 1 MB from an agent that is faster than the store", async () => {
		const slow = withMethods(sessions, {
			async append(...args: Parameters<Sessions["append"]>) {
				await new Promise((resolve) => setTimeout(resolve, 20));
				return sessions.append(...args);
			},
		});
		const turns = openTurns(
			scriptedAgent(async function* () {
				for (let i = 0; i < 40; i++) {
					yield { type: "stderr", content: `${i}${"z".repeat(1_000_000)}` };
				}
				return undefined;
			}),
			// Forty megabytes keep a busy machine from renewing a short lease in time.
			{ sessions: slow, leaseMs: 20_000 },
		);
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		expect(await ended(id)).toMatchObject([{ status: "success" }]);
		expect((await eventsOf(id)).filter(({ type }) => type === "stderr")).toHaveLength(40);
	});

	it("stores nothing of a turn after its result, also of an agent that does not stop", async () => {
		let wake = () => {};
		const turns = openTurns(
			scriptedAgent(async function* () {
				yield { type: "message", role: "assistant", content: "deaf", delta: true };
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
				yield { type: "message", role: "assistant", content: "LATE", delta: true };
				return undefined;
			}),
			{ stopMs: 20 },
		);
		const id = await create(turns);
		await turns.send(id, { content: "one" });
		await waitFor(async () => (await eventsOf(id)).some(({ content }) => content === "deaf"));
		await turns.abort(id);
		await ended(id);
		wake();
		await turns.send(id, { content: "two" });
		await waitFor(async () => (await eventsOf(id)).filter(({ content }) => content === "deaf")[1]);
		await turns.abort(id);
		await ended(id, 2);
		expect((await eventsOf(id)).filter(({ content }) => content === "LATE")).toEqual([]);
	});

	it("does not let a runner that has lost its lease write its version of the turn", async () => {
		let stalled = () => {};
		const stall = new Promise<void>((resolve) => {
			stalled = resolve;
		});
		// Stands still right before it commits the answer, until another has ended the turn.
		const sleepy = withMethods(sessions, {
			async append(...args: Parameters<Sessions["append"]>) {
				const [, , [event]] = args;
				if ((event as Event).type === "result") await stall;
				return sessions.append(...args);
			},
			renewLease: () => new Promise<void>(() => {}),
		});
		const first = openTurns(scriptedAgent(say("FIRST")), { sessions: sleepy });
		const id = await create(first);
		await first.send(id, { content: "hi" });
		await waitFor(async () => (await eventsOf(id)).some(({ content }) => content === "FIRST"));
		openTurns(scriptedAgent(say("SECOND")));
		expect(await ended(id)).toMatchObject([{ status: "success" }]);
		stalled();
		await waitFor(async () => (await sessions.read(id, TRANSCRIPT)).entries.length >= 2);
		const rows = (await sessions.read(id, TRANSCRIPT)).entries.map(
			(e) => (e.event as Event).content,
		);
		expect(rows).toEqual(["hi", "SECOND"]);
	});

	it("stops its agent when the lease is over, also while a renewal hangs", async () => {
		const hung = withMethods(sessions, { renewLease: () => new Promise<void>(() => {}) });
		let stoppedAt = 0;
		const turns = openTurns(
			scriptedAgent(async function* (turn) {
				turn.signal.addEventListener("abort", () => {
					stoppedAt = performance.now();
				});
				return yield* hang()(turn);
			}),
			{ sessions: hung },
		);
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		await waitFor(() => stoppedAt > 0, { timeoutMs: 3_000 });
	});

	it("leaves a turn to be recovered when it can no longer hear aborts", async () => {
		let deaf = true;
		const failing = withMethods(sessions, {
			follow(...args: Parameters<Sessions["follow"]>) {
				if (!deaf) return sessions.follow(...args);
				deaf = false;
				return (async function* () {
					await new Promise((resolve) => setTimeout(resolve, 50));
					yield* [];
					throw new Error("The log cannot be followed.");
				})();
			},
		});
		const turns = openTurns(scriptedAgent(hang()), { sessions: failing });
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		await waitFor(async () => (await eventsOf(id)).some(({ type }) => type === "recovered"));
		await turns.abort(id);
		expect(await ended(id)).toMatchObject([{ status: "aborted" }]);
	});

	it("recovers a turn although what its lost process left cannot be cleaned up", async () => {
		const before = openTurns(scriptedAgent(hang()));
		const id = await create(before);
		await before.send(id, { content: "hi" });
		await waitFor(async () => (await eventsOf(id)).some(({ type }) => type === "message"));
		await before.close();
		const agent = scriptedAgent(say("again"));
		openTurns({ ...agent, cleanUp: () => Promise.reject(new Error("no such process")) });
		expect(await ended(id)).toMatchObject([{ status: "success" }]);
	});

	it("runs an input whose alarm was lost as soon as someone looks at it", async () => {
		const turns = openTurns(scriptedAgent(say("here")), { sweepMs: 600_000 });
		const id = await create(turns);
		await sessions.append(id, "events", [{ type: "input_admitted", run_id: "r", content: "hi" }]);
		await turns.position(id);
		expect(await ended(id)).toMatchObject([{ run_id: "r", status: "success" }]);
	});

	it("finds the first turn by its key, whatever was asked to happen when busy", async () => {
		const turns = openTurns(scriptedAgent(say("x")));
		const id = await create(turns);
		const once = { idempotencyKey: "k" };
		const first = await turns.send(id, { content: "hi" }, { ...once, whenBusy: "interrupt" });
		const again = await turns.send(id, { content: "hi" }, once);
		expect(again).toEqual({ ...first, repeated: true });
	});

	it("moves on and trims under a queue that is never empty", async () => {
		const words = Array.from({ length: 3_000 }, (_, i) => `${i} `);
		const turns = openTurns(
			scriptedAgent(async function* (turn) {
				if (turn.input.content === "last") return yield* hang()(turn);
				yield* say(...words)(turn);
				// It ends when the next one waits already.
				await waitFor(async () => (await turns.state(turn.sessionId)).queued.length > 0);
				return undefined;
			}),
			{ keepEvents: 1_000 },
		);
		const id = await create(turns);
		for (const [i, content] of ["1", "2", "3", "last"].entries()) {
			await waitFor(async () => (await sessions.state(id, "events")).last >= i * 3_000);
			await turns.send(id, { content });
		}
		await waitFor(async () => ((await sessions.get(id))?.value.settledSeq ?? 0) >= 5_000);
		expect((await sessions.state(id, "events")).first).toBeGreaterThan(1_000);
		await turns.abort(id);
		await waitFor(async () => (await turns.state(id)).running === null);
	});
});
