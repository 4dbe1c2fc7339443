import type { Collection, Json, Store } from "@baton/session";
import { requirePart, waitFor } from "@baton/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SessionValue, TRANSCRIPT, Turns, type TurnsOptions } from "../../src/index";
import { say, scriptedAgent } from "./scripted-agent";
import { STORES, stopRedis, type TestStore } from "./stores";
import { withMethods } from "./with-methods";

type Sessions = Collection<SessionValue>;
type Event = { type: string; run_id?: string } & Record<string, Json>;

const LEASE_MS = 300;
const kinds = requirePart("redis-server")
	? ["memory", "files", "redis", "cluster"]
	: ["memory", "files"];

afterAll(stopRedis);

describe.each(kinds)("a session whose turns have ended, on %s", (kind) => {
	let testStore: TestStore;
	let store: Store;
	let sessions: Sessions;
	const open: Turns[] = [];

	beforeEach(async () => {
		testStore = await STORES[kind]!();
		store = await testStore.open();
		sessions = store.collection<SessionValue>("sessions");
	});
	afterEach(async () => {
		for (const turns of open.splice(0)) await turns.close();
		await testStore.dispose();
	});

	function openTurns(options: Partial<TurnsOptions> = {}): Turns {
		const turns = new Turns({
			sessions,
			agents: () => scriptedAgent(say("one ", "two")),
			holder: "test",
			leaseMs: LEASE_MS,
			sweepMs: 20,
			log: { warn: () => {} },
			...options,
		});
		open.push(turns);
		return turns;
	}

	const create = async (turns: Turns) =>
		(await turns.create({ agentId: "scripted", owner: "ada", door: "test" })).key;

	const settled = (id: string, seq = 1) =>
		waitFor(async () => {
			const { lease } = await sessions.state(id, "events");
			const settledSeq = (await sessions.get(id))?.value.settledSeq ?? 0;
			return settledSeq >= seq && lease === null ? settledSeq : null;
		});

	const resultsOf = async (id: string) =>
		(await sessions.read(id, "events")).entries
			.map((entry) => entry.event as Event)
			.filter(({ type }) => type === "result");

	const inputsOf = async (id: string) =>
		(await sessions.read(id, "events")).entries
			.map((entry) => entry.event as Event)
			.filter(({ type }) => type === "input_admitted");

	it("keeps its events for their time, then drops them, and goes on where it was", async () => {
		const turns = openTurns({ keepEventsMs: 500 });
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		const last = await settled(id);
		expect((await sessions.read(id, "events")).entries).toHaveLength(last);
		await waitFor(async () => (await sessions.state(id, "events")).first > last);
		const leave = new AbortController();
		for await (const batch of turns.follow(id, { signal: leave.signal })) {
			expect(batch).toEqual({ entries: [], reset: { reason: "trimmed", first: last + 1 } });
			leave.abort();
		}
		expect((await sessions.read(id, TRANSCRIPT)).entries).toHaveLength(2);
		await waitFor(async () => (await sessions.state(id, "events")).lease === null);
		const { seq } = await turns.send(id, { content: "again" });
		expect(seq).toBe(last + 1);
		await settled(id, seq);
	});

	it("keeps its events when someone looks at it before their time", async () => {
		let looks = 0;
		const counting = withMethods(sessions, {
			async postponeAlarm(...args) {
				const isQuiet = await sessions.postponeAlarm(...args);
				looks++;
				return isQuiet;
			},
		});
		const turns = openTurns({ sessions: counting, keepEventsMs: 600_000 });
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		const last = await settled(id);
		const before = looks;
		await sessions.setAlarm(id, 1);
		await waitFor(() => looks > before);
		expect(await sessions.dueAlarms(10)).toEqual([]);
		expect(await sessions.state(id, "events")).toMatchObject({ first: 1, last });
	});

	it("lives for as long as it was told to, and for ever unless it was told", async () => {
		const turns = openTurns({ sessionTtlMs: 600_000 });
		expect((await sessions.get(await create(turns)))?.ttlMs).toBe(600_000);
		expect((await sessions.get(await create(openTurns())))?.ttlMs).toBeNull();
	});

	/** Lets something happen right before the alarm is put off, and never comes back from that. */
	function diesAsItSettles(meanwhile: () => Promise<unknown>): Sessions {
		let isDead = false;
		const unlessDead = <T>(work: () => Promise<T>) => (isDead ? dead() : work());
		const lastly = async (settle: () => Promise<unknown>) => {
			await meanwhile();
			await settle().catch(() => {});
			isDead = true;
			return dead();
		};
		return withMethods(sessions, {
			append: (...args) =>
				unlessDead(() =>
					args[3]?.settle ? lastly(() => sessions.append(...args)) : sessions.append(...args),
				),
			postponeAlarm: (...args) => unlessDead(() => lastly(() => sessions.postponeAlarm(...args))),
			setAlarm: (...args) => unlessDead(() => sessions.setAlarm(...args)),
			renewLease: (...args) => unlessDead(() => sessions.renewLease(...args)),
			releaseLease: (...args) => unlessDead(() => sessions.releaseLease(...args)),
		});
	}

	/** A process that is gone as soon as it has stored something. */
	function diesAsItSends(): Sessions {
		let isDead = false;
		const gone = new Set(["name", "follow"]);
		const alive = async (...args: Parameters<Sessions["append"]>) => {
			await sessions.append(...args);
			isDead = true;
			return dead();
		};
		return new Proxy(sessions, {
			get(target, name: keyof Sessions) {
				if (name === "append") return isDead ? dead : alive;
				const method = target[name];
				if (typeof method !== "function" || gone.has(name)) return method;
				return (...args: never[]) => (isDead ? dead() : Reflect.apply(method, target, args));
			},
		});
	}

	it("does not lose an input that came while its runner settled and was killed", async () => {
		const keepEventsMs = 600_000;
		let isOver = false;
		const dying = diesAsItSettles(async () => {
			await first.send(id, { content: "two" });
			isOver = true;
		});
		const first = openTurns({ sessions: dying, keepEventsMs, sweepMs: 600_000 });
		const id = await create(first);
		await first.send(id, { content: "one" });
		await waitFor(() => isOver);
		// The process is gone; the next one has nothing to go by but what is stored.
		open.splice(0);
		openTurns({ keepEventsMs });
		await waitFor(async () => (await resultsOf(id)).length === 2);
	});

	it.skipIf(kind === "files")(
		"does not lose an input of another process that came while its runner settled and was killed",
		async () => {
			const keepEventsMs = 600_000;
			const other = openTurns({ keepEventsMs });
			const dying = diesAsItSettles(() => other.send(id, { content: "two" }));
			const first = openTurns({ sessions: dying, keepEventsMs });
			const id = await create(first);
			await first.send(id, { content: "one" });
			await waitFor(async () => (await resultsOf(id)).length === 2, { timeoutMs: 5_000 });
			open.splice(open.indexOf(first), 1);
		},
	);

	it.skipIf(kind === "files")(
		"does not lose an input when its runner and its sender are both killed at that moment",
		async () => {
			const keepEventsMs = 600_000;
			const dying = diesAsItSettles(async () => {
				void sender.send(id, { content: "two" });
				await waitFor(async () => (await inputsOf(id)).length === 2);
			});
			const first = openTurns({ sessions: dying, keepEventsMs, sweepMs: 600_000 });
			const sender = openTurns({ sessions: diesAsItSends(), keepEventsMs, sweepMs: 600_000 });
			const id = await create(first);
			await first.send(id, { content: "one" });
			await waitFor(async () => (await inputsOf(id)).length === 2);
			// Both are gone; the next process has nothing to go by but what is stored.
			open.splice(0);
			openTurns({ keepEventsMs });
			await waitFor(async () => (await resultsOf(id)).length === 2, { timeoutMs: 5_000 });
		},
	);
});

function dead(): Promise<never> {
	return new Promise(() => {});
}
