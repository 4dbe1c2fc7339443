import type { Json } from "@baton/session";
import { requirePart } from "@baton/testkit";
import { afterEach, beforeEach, expect } from "vitest";
import type { Agent } from "../../src/agent";
import { type SessionValue, Turns, type TurnsOptions } from "../../src/index";
import { STORES, type TestStore } from "./stores";

export type Event = { type: string; run_id?: string; status?: string } & Record<string, Json>;

/** The kinds of stores that every turn is tested on. */
export const KINDS = requirePart("redis-server")
	? ["memory", "files", "redis"]
	: ["memory", "files"];

/** A store of this kind for each test, and turns on it, closed after it. They may warn of nothing. */
export function useTurns(kind: string) {
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

	return async function openTurns(agent: Agent, options: Partial<TurnsOptions> = {}) {
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
	};
}

export const create = (turns: Turns) =>
	turns.create({ agentId: "scripted", owner: "ada", door: "test" });

/** Follows from the start until the given runs have ended. */
export async function untilEnded(turns: Turns, sessionId: string, runs: number): Promise<Event[]> {
	const events: Event[] = [];
	for await (const { entries } of turns.follow(sessionId)) {
		for (const entry of entries) events.push(entry.event as Event);
		if (events.filter(({ type }) => type === "result").length >= runs) break;
	}
	return events;
}
