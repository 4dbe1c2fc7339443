import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Collection, type Json, openStore, type StoreConfig } from "@baton/session";
import {
	type NodeProcess,
	type RedisServer,
	requirePart,
	spawnNode,
	startRedis,
	tempDir,
	waitFor,
} from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Agent, SessionValue } from "../../src/index";

const program = fileURLToPath(new URL("../fixtures/turns-process.mjs", import.meta.url));
const KILLS = process.env.BATON_FULL ? 100 : 20;

type Event = { type: string; run_id?: string; content?: string; status?: string } & Record<
	string,
	Json
>;

/** What the reader shows: the text of a turn, without what was retracted. */
function shownText(events: Event[], runId: string): string {
	let text = "";
	for (const event of events) {
		if (event.run_id !== runId) continue;
		if (event.type === "message") text += event.content;
		if (event.type === "retract") text = "";
	}
	return text;
}

const counted = (upTo: number) => Array.from({ length: upTo }, (_, i) => `${i + 1} `).join("");

/** Sees to it that one process is running turns, and kills it now and then. */
class Victims {
	readonly #args: string[];
	current: NodeProcess;
	kills = 0;

	constructor(config: StoreConfig, recovery: Agent["recovery"], leaseMs?: number) {
		this.#args = [JSON.stringify(config), recovery, ...(leaseMs ? [String(leaseMs)] : [])];
		this.current = this.start();
	}

	start(): NodeProcess {
		this.current = spawnNode(program, { args: this.#args });
		return this.current;
	}

	async kill(): Promise<void> {
		this.current.kill("SIGKILL");
		await this.current.exited;
		this.kills++;
	}
}

describe.skipIf(!requirePart("redis-server"))("a runner killed with SIGKILL, on Redis", () => {
	let redis: RedisServer;
	beforeAll(async () => {
		redis = await startRedis();
	});
	afterAll(() => redis.stop());

	/** Another process's view: it stores inputs and follows, and runs nothing itself. */
	async function openWatcher() {
		const config: StoreConfig = { driver: "redis", url: redis.url, prefix: `${randomUUID()}:` };
		const store = await openStore(config);
		const sessions = store.collection<SessionValue>("sessions");
		return { config, store, sessions };
	}

	/** Stores an input as `send` does, without running it here. */
	async function send(sessions: Collection<SessionValue>, id: string, content: string) {
		const runId = randomUUID();
		await sessions.append(id, "events", [{ type: "input_admitted", run_id: runId, content }]);
		await sessions.setAlarm(id, 1);
		return runId;
	}

	function watch(sessions: Collection<SessionValue>, id: string) {
		const events: Event[] = [];
		const seqs: number[] = [];
		const stop = new AbortController();
		const done = (async () => {
			for await (const { entries, reset } of sessions.follow(id, "events", {
				signal: stop.signal,
			})) {
				if (reset) throw new Error("reset");
				for (const entry of entries) {
					seqs.push(entry.seq);
					events.push(entry.event as Event);
				}
			}
		})();
		return {
			events,
			seqs,
			async end() {
				stop.abort();
				await done;
				expect(seqs).toEqual(seqs.map((_, i) => i + 1));
			},
		};
	}

	it.each([
		["resume", "success"],
		["retry", "success"],
		["fail", "error"],
	] as const)(
		"is noticed, and the turn ends, by the policy %s",
		async (recovery, status) => {
			const { config, store, sessions } = await openWatcher();
			const id = randomUUID();
			await createSession(sessions, id);
			const watched = watch(sessions, id);
			const victims = new Victims(config, recovery);
			const heir = spawnNode(program, { args: [JSON.stringify(config), recovery] });
			await Promise.all([victims.current.waitForLine("ready"), heir.waitForLine("ready")]);
			const runId = await send(sessions, id, "300");
			await waitFor(() => shownText(watched.events, runId).includes(" 20 "));
			// Whichever of the two drives it is killed.
			const holder = (await sessions.state(id, "events")).lease?.holder;
			const killedAt = performance.now();
			const driver = holder === `pid ${heir.pid}` ? heir : victims.current;
			driver.kill("SIGKILL");
			const before = watched.events.length;
			await waitFor(() => watched.events.slice(before).some(({ type }) => type !== "message"), {
				timeoutMs: 10_000,
			});
			const noticedMs = performance.now() - killedAt;
			await waitFor(() => watched.events.some(({ type }) => type === "result"), {
				timeoutMs: 20_000,
			});
			await watched.end();
			const results = watched.events.filter(({ type }) => type === "result");
			expect(results).toMatchObject([{ run_id: runId, status }]);
			if (status === "success") expect(shownText(watched.events, runId)).toBe(counted(300));
			else expect(results[0]).toMatchObject({ error: { retryable: true } });
			expect(noticedMs).toBeLessThan(8_000);
			await heir.stop();
			await victims.current.stop();
			await store.close();
		},
		60_000,
	);

	it(`loses and repeats nothing over ${KILLS} random kills in a row`, async () => {
		const { config, store, sessions } = await openWatcher();
		const id = randomUUID();
		await createSession(sessions, id);
		const watched = watch(sessions, id);
		// A short lease, for what is tested here is not how long a loss takes to notice.
		const victims = new Victims(config, "resume", 500);
		const runs: { runId: string; upTo: number }[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			const upTo = 100 + Math.floor(Math.random() * 400);
			runs.push({ runId: await send(sessions, id, String(upTo)), upTo });
			await victims.current.waitForLine("ready");
			const seen = watched.events.length;
			const some = Math.floor(Math.random() * 60);
			await waitFor(() => watched.events.length > seen + some, { timeoutMs: 20_000, everyMs: 2 });
			await victims.kill();
			victims.start();
		}
		const ended = () => watched.events.filter(({ type }) => type === "result").length;
		await waitFor(() => ended() >= runs.length, { timeoutMs: 60_000 + KILLS * 2_000 });
		await watched.end();
		await victims.current.stop();
		const results = watched.events.filter(({ type }) => type === "result");
		expect(results.map((event) => event.run_id)).toEqual(runs.map(({ runId }) => runId));
		for (const { runId, upTo } of runs) {
			expect(shownText(watched.events, runId)).toBe(counted(upTo));
		}
		await store.close();
	}, 600_000);
});

describe("a runner killed with SIGKILL, on files", () => {
	it("goes on at the next start, by each policy", async () => {
		for (const [recovery, status] of [
			["resume", "success"],
			["retry", "success"],
			["fail", "error"],
		] as const) {
			const dir = await tempDir("baton-kill");
			const config: StoreConfig = { driver: "files", dir: dir.path };
			const id = randomUUID();
			const store = await openStore(config);
			const sessions = store.collection<SessionValue>("sessions");
			await createSession(sessions, id);
			const runId = randomUUID();
			await sessions.append(id, "events", [
				{ type: "input_admitted", run_id: runId, content: "300" },
			]);
			await sessions.setAlarm(id, 1);
			await store.close();

			const victims = new Victims(config, recovery);
			const log = `${dir.path}/sessions/${id}.events.jsonl`;
			const stored = async () => (await readFile(log, "utf8")).split("\n").length;
			await waitFor(async () => (await stored()) > 20, { timeoutMs: 20_000 });
			await victims.kill();
			victims.start();
			await waitFor(async () => (await readFile(log, "utf8")).includes('"type":"result"'), {
				timeoutMs: 20_000,
			});
			await victims.kill();

			const after = await openStore(config);
			const events = (
				await after.collection("sessions").read(id, "events", { limit: 10_000 })
			).entries.map((entry) => entry.event as Event);
			const results = events.filter(({ type }) => type === "result");
			expect(results).toMatchObject([{ run_id: runId, status }]);
			if (status === "success") expect(shownText(events, runId)).toBe(counted(300));
			await after.close();
			await dir.remove();
		}
	}, 120_000);
});

async function createSession(sessions: Collection<SessionValue>, id: string): Promise<void> {
	const now = Date.now();
	await sessions.create(id, {
		key: id,
		agentId: "counter",
		createdAt: now,
		updatedAt: now,
		owner: "ada",
		door: "test",
		memory: {},
		settledSeq: 0,
		latestTurnSeq: 0,
	});
}
