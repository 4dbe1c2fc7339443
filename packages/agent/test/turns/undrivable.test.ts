import { BatonError, type Collection, type Json, openStore, type Store } from "@baton/session";
import { requirePart, startRedis, waitFor } from "@baton/testkit";
import { Redis } from "ioredis";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, AgentFailure } from "../../src/agent";
import { openRequest, type SessionValue, TRANSCRIPT, Turns } from "../../src/index";
import { hang, say, scriptedAgent } from "./scripted-agent";
import { withMethods } from "./with-methods";

type Sessions = Collection<SessionValue>;
type Event = { type: string; run_id?: string; status?: string } & Record<string, Json>;

describe("a session that cannot be driven", () => {
	const cleanUps: (() => Promise<unknown>)[] = [];
	const warnings: string[] = [];
	afterEach(async () => {
		for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
		warnings.length = 0;
	});

	async function open(url?: string): Promise<Sessions> {
		const store: Store = await openStore(
			url === undefined ? { driver: "memory" } : { driver: "redis", url },
		);
		cleanUps.push(() => store.close());
		return store.collection<SessionValue>("sessions");
	}

	function openTurns(sessions: Sessions, agents: () => Agent): Turns {
		const log = {
			warn: ({ error }: Record<string, unknown>, message: string) =>
				void warnings.push(`${message} ${(error as Error).message}`),
		};
		const turns = new Turns({ sessions, agents, holder: "test", leaseMs: 300, sweepMs: 5, log });
		cleanUps.push(() => turns.close());
		return turns;
	}

	const create = async (turns: Turns) =>
		(await turns.create({ agentId: "scripted", owner: "ada", door: "test" })).key;

	const eventsOf = async (sessions: Sessions, id: string) =>
		(await sessions.read(id, "events")).entries.map((entry) => entry.event as Event);

	const resultOf = (sessions: Sessions, id: string) =>
		waitFor(async () => (await eventsOf(sessions, id)).find(({ type }) => type === "result"));

	it("is tried again later and later, at most a minute apart, and at once when it was well", async () => {
		const sessions = await open();
		let isBroken = true;
		const backOffs: number[] = [];
		const failing = withMethods(sessions, {
			append(id, log, events, { takeLease: _, ...options } = {}) {
				return sessions.append(id, log, events, options);
			},
			async takeLease(...args: Parameters<Sessions["takeLease"]>) {
				if (isBroken) throw new BatonError("corrupt", "The lease cannot be read.");
				return sessions.takeLease(...args);
			},
			async setAlarm(id: string, inMs: number) {
				// Those of a lease are shorter. What is set for later comes at once, to see the next one.
				if (inMs >= 1_000) backOffs.push(inMs);
				await sessions.setAlarm(id, inMs >= 1_000 ? 1 : inMs);
			},
		});
		const turns = openTurns(failing, () => scriptedAgent(say("here")));
		const id = await create(turns);
		await turns.send(id, { content: "hi" });
		await waitFor(() => backOffs.length >= 9);
		isBroken = false;
		expect(await resultOf(sessions, id)).toMatchObject({ status: "success" });
		const expected = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000];
		expect(backOffs.slice(0, 9)).toEqual(expected);
		expect(warnings[0]).toBe("A session could not be driven. The lease cannot be read.");

		await waitFor(async () => (await sessions.get(id))?.value.settledSeq !== 0);
		await waitFor(async () => (await sessions.state(id, "events")).lease === null);
		backOffs.length = 0;
		isBroken = true;
		await turns.send(id, { content: "again" });
		await waitFor(() => backOffs.length >= 2);
		expect(backOffs.slice(0, 2)).toEqual([1_000, 2_000]);
	});

	it.skipIf(!requirePart("redis-server"))(
		"because its state in Redis was removed is reported as corrupt, and others go on",
		async () => {
			const redis = await startRedis();
			cleanUps.push(() => redis.stop());
			const sessions = await open(redis.url);
			const before = openTurns(sessions, () => scriptedAgent(hang()));
			const broken = await create(before);
			await before.send(broken, { content: "hi" });
			await waitFor(async () =>
				(await eventsOf(sessions, broken)).some(({ type }) => type === "message"),
			);
			await before.close();
			const client = new Redis(redis.url);
			expect(await client.del(`{sessions:${broken}}:state`)).toBe(1);
			await client.quit();

			const turns = openTurns(sessions, () => scriptedAgent(say("here")));
			await expect(turns.state(broken)).rejects.toMatchObject({ code: "corrupt" });
			await turns.abort(broken).catch(() => {});
			await waitFor(() => warnings.some((warning) => /could not be driven.*state/.test(warning)));
			const well = await create(turns);
			await turns.send(well, { content: "hi" });
			expect(await resultOf(sessions, well)).toMatchObject({ status: "success" });
		},
	);

	it("because its agent is gone since it was lost ends with the reason, and keeps what was said", async () => {
		const sessions = await open();
		const before = openTurns(sessions, () => scriptedAgent(hang()));
		const id = await create(before);
		const { runId } = await before.send(id, { content: "hi" });
		await waitFor(async () =>
			(await eventsOf(sessions, id)).some(({ type }) => type === "message"),
		);
		await openRequest(sessions, id, { type: "snapshot_request", instruction: "read" }, { runId });
		await before.close();

		openTurns(sessions, () => {
			throw new AgentFailure("not_configured", "There is no agent of this name any more.");
		});
		expect(await resultOf(sessions, id)).toMatchObject({
			run_id: runId,
			status: "error",
			error: { type: "not_configured", message: "There is no agent of this name any more." },
		});
		const events = await eventsOf(sessions, id);
		expect(events.at(-2)).toMatchObject({ type: "request_closed" });
		expect(events.filter(({ type }) => type === "result")).toHaveLength(1);
		const { entries } = await sessions.read(id, TRANSCRIPT);
		expect(entries.at(-1)?.event).toMatchObject({ content: "working", status: "error" });
	});
});
