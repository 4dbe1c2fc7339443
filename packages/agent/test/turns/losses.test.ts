import { BatonError, type Collection, type ErrorCode, openStore, type Store } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Agent } from "../../src/agent";
import { type SessionValue, Turns, type TurnsOptions } from "../../src/index";
import { hang, scriptedAgent } from "./scripted-agent";
import { withMethods } from "./with-methods";

interface Event {
	type: string;
	attempt?: number;
	losses?: number;
	content?: string;
	[field: string]: unknown;
}

describe("a turn that loses its process", () => {
	let store: Store;
	let sessions: Collection<SessionValue>;
	/** What the next append of the runner fails with. */
	let fault: ErrorCode | null = null;
	const open: Turns[] = [];

	beforeEach(async () => {
		store = await openStore({ driver: "memory" });
		sessions = store.collection<SessionValue>("sessions");
		fault = null;
	});
	afterEach(async () => {
		for (const turns of open.splice(0)) await turns.close();
		await store.close();
	});

	function openTurns(agent: Agent, options: Partial<TurnsOptions> = {}): Turns {
		const failing = withMethods(sessions, {
			append(...args: Parameters<typeof sessions.append>) {
				if (fault === null) return sessions.append(...args);
				const error = new BatonError(fault, "The runner cannot write.");
				fault = null;
				return Promise.reject(error);
			},
		});
		const turns = new Turns({
			sessions: failing,
			agents: () => agent,
			holder: "test",
			leaseMs: 300,
			sweepMs: 10,
			log: { warn: () => {} },
			...options,
		});
		open.push(turns);
		return turns;
	}

	async function send(turns: Turns): Promise<string> {
		const { key } = await turns.create({ agentId: "scripted", owner: "ada", door: "test" });
		await turns.send(key, { content: "hi" });
		return key;
	}

	const eventsOf = async (id: string) =>
		(await sessions.read(id, "events")).entries.map(({ event }) => event as unknown as Event);

	const resultOf = (id: string) =>
		waitFor(async () => (await eventsOf(id)).find(({ type }) => type === "result"), {
			timeoutMs: 15_000,
		});

	const recoveriesOf = async (id: string) =>
		(await eventsOf(id)).filter(({ type }) => type === "recovered");

	/** Is lost in each of its first attempts, after a word or before it. */
	function losing(times: number, recovery: Agent["recovery"], says: "a word" | "nothing") {
		return scriptedAgent(async function* ({ attempt }) {
			const word = { type: "message", role: "assistant", content: `${attempt} `, delta: true };
			if (attempt > times) {
				yield word;
				return undefined;
			}
			if (says === "a word") {
				yield word;
				await waitFor(async () => {
					const [last] = (await sessions.tail(id, "events", 1)).entries;
					return (last?.event as unknown as Event | undefined)?.content === word.content;
				});
			}
			fault = "lease_lost";
			yield word;
			return undefined;
		}, recovery);
	}
	let id = "";

	it("is given up after three losses in a row without a word", async () => {
		id = await send(openTurns(losing(Number.POSITIVE_INFINITY, "resume", "nothing")));
		expect(await resultOf(id)).toMatchObject({
			status: "error",
			error: { type: "runner_lost", retryable: true },
		});
		expect(await recoveriesOf(id)).toMatchObject([
			{ attempt: 2, losses: 1 },
			{ attempt: 3, losses: 2 },
		]);
	});

	it("goes on as long as it says something between its losses, where its agent resumes", async () => {
		id = await send(openTurns(losing(5, "resume", "a word")));
		expect(await resultOf(id)).toMatchObject({ status: "success" });
		const said = (await eventsOf(id)).filter(({ type }) => type === "message");
		expect(said.map(({ content }) => content).join("")).toBe("1 2 3 4 5 6 ");
		expect((await recoveriesOf(id)).map(({ losses }) => losses)).toEqual([1, 1, 1, 1, 1]);
	});

	it("is given up after three losses, whatever it says, where its agent starts again", async () => {
		id = await send(openTurns(losing(Number.POSITIVE_INFINITY, "retry", "a word")));
		expect(await resultOf(id)).toMatchObject({ error: { type: "runner_lost" } });
		expect(await recoveriesOf(id)).toHaveLength(2);
	});

	it("is not held responsible for processes that stop as planned", async () => {
		let turns = openTurns(scriptedAgent(hang()));
		id = await send(turns);
		for (let restart = 1; restart <= 4; restart++) {
			await waitFor(async () => (await eventsOf(id)).at(-1)?.type === "message");
			await turns.close();
			expect((await eventsOf(id)).at(-1)?.type).toBe("handed_over");
			turns = openTurns(scriptedAgent(hang()));
			await waitFor(async () => (await recoveriesOf(id)).length === restart);
		}
		expect(await recoveriesOf(id)).toMatchObject(
			[2, 3, 4, 5].map((n) => ({ attempt: n, losses: 0 })),
		);
		await turns.abort(id);
		expect(await resultOf(id)).toMatchObject({ status: "aborted" });
	});

	it("ends when its time is over, counted from its first start", async () => {
		id = await send(
			openTurns(losing(Number.POSITIVE_INFINITY, "resume", "a word"), { turnMs: 1_500 }),
		);
		expect(await resultOf(id)).toMatchObject({ error: { type: "timeout", retryable: true } });
	});

	it.each(["unavailable", "not_replicated", "read_only", "store_full"] as const)(
		"does not fail because its store was away for a moment: %s",
		async (code) => {
			const agent = scriptedAgent(async function* ({ attempt }) {
				if (attempt === 1) fault = code;
				yield { type: "message", role: "assistant", content: "here", delta: true };
				return undefined;
			});
			id = await send(openTurns(agent));
			expect(await resultOf(id)).toMatchObject({ status: "success" });
			expect(await recoveriesOf(id)).toHaveLength(1);
		},
	);
});
