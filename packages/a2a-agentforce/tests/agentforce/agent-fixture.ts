import { randomUUID } from "node:crypto";
import { type SessionValue, TRANSCRIPT, Turns } from "@baton/agent";
import { type Json, openStore, type Store } from "@baton/session";
import { type RedisServer, requirePart, startRedis, tempDir } from "@baton/testkit";
import {
	AgentforceClient,
	type AgentforceTimes,
	createAgentforceAgent,
} from "../../src/agentforce";
import { BatonStore, SessionManager } from "../../src/session";
import { type Endpoint, startAgentforceSimulator } from "../../src/simulator";

/** The kinds of stores that the agent is tested on. */
export const KINDS = requirePart("redis-server")
	? ["memory", "files", "Redis"]
	: ["memory", "files"];

type TurnEvent = { type: string; run_id?: string } & Record<string, Json>;

let redis: Promise<RedisServer> | undefined;
export async function stopRedis(): Promise<void> {
	await (await redis)?.stop();
	redis = undefined;
}

/** Opens a store; again, for another process's view, where there can be one. */
const STORES: Record<
	string,
	() => Promise<{ open: () => Promise<Store>; remove(): Promise<void> }>
> = {
	async memory() {
		const store = await openStore({ driver: "memory" });
		return { open: async () => store, remove: async () => {} };
	},
	async files() {
		const dir = await tempDir("baton-agentforce");
		const store = await openStore({ driver: "files", dir: dir.path });
		return { open: async () => store, remove: () => dir.remove() };
	},
	async Redis() {
		redis ??= startRedis();
		const { url } = await redis;
		const prefix = `${randomUUID()}:`;
		return { open: () => openStore({ driver: "redis", url, prefix }), remove: async () => {} };
	},
};

/** Agentforce behind turns, on one kind of store. */
export async function openAgentforce(kind: string, times: Partial<AgentforceTimes> = {}) {
	const simulator = await startAgentforceSimulator();
	const place = await STORES[kind]!();
	const stores: Store[] = [];
	const allTurns: Turns[] = [];
	const lines: string[] = [];
	const note = (details: Record<string, unknown>, message: string) =>
		lines.push(`${message} ${JSON.stringify(details)}`);
	const log = { info: note, warn: note };

	const openProcess = async (ttlSeconds = 1_800) => {
		const store = await place.open();
		stores.push(store);
		const sessions = store.collection<SessionValue>("sessions");
		const mappings = new BatonStore({ store: async () => store, ttlSeconds });
		const client = new AgentforceClient(simulator.settings, {
			times: { pauseMs: 10, answerMs: 5_000, ...times },
		});
		const agent = createAgentforceAgent({ client, sessions: mappings, ttlSeconds, log });
		const turns = new Turns({ sessions, agents: () => agent, holder: "test", log });
		allTurns.push(turns);
		const manager = new SessionManager(mappings, { cleanup: false, ttlSeconds });
		return { turns, sessions, mappings, manager, client };
	};
	const first = await openProcess();
	const callsTo = (at: Endpoint) => simulator.requests.filter((request) => request.at === at);

	return {
		...first,
		simulator,
		lines,
		openProcess,
		callsTo,
		/** The numbers of the messages that Agentforce was sent, in order. */
		sequenceIds: () =>
			callsTo("stream").map(
				({ body }) => (body as { message: { sequenceId: number } }).message.sequenceId,
			),
		create: async (owner = "local") =>
			(await first.turns.create({ agentId: "agentforce", owner, door: "test" })).key,
		/** Runs a message to its end. Returns its events, and its result apart. */
		async ask(sessionId: string, content: string, turns = first.turns) {
			const { seq, runId } = await turns.send(sessionId, { content });
			const events: TurnEvent[] = [];
			for await (const { entries } of turns.follow(sessionId, { after: seq })) {
				events.push(...entries.map(({ event }) => event as TurnEvent));
				if (events.some(({ type, run_id }) => type === "result" && run_id === runId)) break;
			}
			const mine = events.filter(({ run_id }) => run_id === runId);
			return { runId, events: mine.slice(1, -1), result: mine.at(-1) as TurnEvent };
		},
		/** What the agent is on record as having said last. */
		async saidLast(sessionId: string) {
			const { entries } = await first.sessions.tail(sessionId, TRANSCRIPT, 1);
			return (entries[0]?.event as { content?: string } | undefined)?.content;
		},
		async stop() {
			for (const turns of allTurns) await turns.close();
			for (const store of stores) await store.close();
			await simulator.stop();
			await place.remove();
		},
	};
}

export type Agentforce = Awaited<ReturnType<typeof openAgentforce>>;
