import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionValue } from "@baton/agent";
import { openStore } from "@baton/session";
import { type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "../src";
import { BOB, type GatewayFixture, openGateway } from "./support/gateway-fixture";
import type { Peer } from "./support/peer";

interface Meta {
	key: string;
	agentId: string;
	label?: string;
	createdAt: number;
	updatedAt: number;
}

let folder: TempDir;
let gateway: GatewayFixture;
let peer: Peer;

beforeEach(async () => {
	folder = await tempDir("baton-sessions");
	await start();
});
afterEach(async () => {
	await gateway.close();
	await folder.remove();
});

async function start(): Promise<void> {
	const store = await openStore({ driver: "files", dir: folder.path, onProblem() {} });
	gateway = await openGateway({ store, dataDir: folder.path });
	peer = await gateway.open();
}

async function restart(between: () => Promise<void> = async () => {}): Promise<void> {
	await gateway.close();
	await between();
	await start();
}

const fileOf = (key: string, end = ".jsonl") => join(folder.path, "sessions", `${key}${end}`);
const list = (params: object = {}) =>
	peer.call<{ sessions: Meta[]; cursor: string | null }>("sessions.list", params);
const history = (sessionKey: string) =>
	peer.call<{ messages: { role: string; content: string }[] }>("chat.history", { sessionKey });

describe("sessions", () => {
	it("are made with a UUID, the default agent and no label, and found again", async () => {
		const sessionKey = await peer.createSession();
		const { session, messages } = await peer.call<{ session: Meta; messages: object[] }>(
			"sessions.get",
			{ sessionKey },
		);
		expect(session).toMatchObject({ key: sessionKey, agentId: "assistant", door: "gateway" });
		expect(session.label).toBeUndefined();
		expect(messages).toEqual([]);
		const meta = JSON.parse(await readFile(fileOf(sessionKey, ".meta.json"), "utf8")) as Meta;
		expect(meta).toMatchObject({ key: sessionKey, agentId: "assistant" });
	});

	it("are listed newest first, in pages that miss and repeat nothing", async () => {
		const keys: string[] = [];
		for (let i = 0; i < 12; i++) keys.unshift(await peer.createSession());
		expect((await list()).sessions.map(({ key }) => key)).toEqual(keys);
		const paged: string[] = [];
		let cursor: string | null = null;
		do {
			const page = await list({ limit: 5, ...(cursor && { cursor }) });
			paged.push(...page.sessions.map(({ key }) => key));
			cursor = page.cursor;
		} while (cursor);
		expect(paged).toEqual(keys);
		expect((await peer.ask("sessions.list", { cursor: "nonsense" })).error?.code).toBe(-32602);
		expect((await peer.ask("sessions.list", { limit: 0 })).error?.code).toBe(-32602);
	});

	it("of other doors of the same owner are there too", async () => {
		const sessions = gateway.store.collection<SessionValue>("sessions");
		const made = await gateway.turns.create({ agentId: "demo", owner: "local", door: "agent-api" });
		expect((await list()).sessions).toMatchObject([{ key: made.key, door: "agent-api" }]);
		await peer.chat(made.key, "Hello");
		expect((await sessions.tail(made.key, "transcript", 5)).entries).toHaveLength(2);
	});

	it("take a label, and lose it", async () => {
		const sessionKey = await peer.createSession({ label: "  First  " });
		expect((await list()).sessions[0]?.label).toBe("First");
		const { session } = await peer.call<{ session: Meta }>("sessions.patch", {
			sessionKey,
			label: "Second",
		});
		expect(session.label).toBe("Second");
		await restart();
		expect((await list()).sessions[0]?.label).toBe("Second");
		await peer.call("sessions.patch", { sessionKey, label: null });
		expect((await list()).sessions[0]).not.toHaveProperty("label");
		expect((await peer.ask("sessions.patch", { sessionKey, label: "" })).error?.code).toBe(-32602);
	});

	it("are deleted with their files, also in the middle of a turn, which stops", async () => {
		const sessionKey = await peer.createSession();
		const message = "/stream 5000 words every 5ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		await peer.frame(({ event }) => event === "chat.delta");
		expect(await peer.call("sessions.delete", { sessionKey })).toEqual({ deleted: true });
		expect(await peer.end(runId)).toMatchObject({ event: "chat.error", data: { aborted: true } });
		await expect(readFile(fileOf(sessionKey))).rejects.toThrow("ENOENT");
		expect((await list()).sessions).toEqual([]);
	});

	it("are forked: whole, or up to a turn; the copy goes on with what it knows", async () => {
		const sessionKey = await peer.createSession({ label: "Talk" });
		const { runId } = await peer.chat(sessionKey, "My name is Alice.");
		await peer.chat(sessionKey, "/stream 3 words");
		const whole = await peer.call<{ sessionKey: string }>("sessions.fork", { sessionKey });
		expect(whole).toMatchObject({ messages: 4 });
		expect((await history(whole.sessionKey)).messages).toEqual(
			(await history(sessionKey)).messages,
		);
		const part = await peer.call<{ sessionKey: string }>("sessions.fork", {
			sessionKey,
			upTo: runId,
			label: "Other way",
		});
		expect(part).toMatchObject({ messages: 2 });
		const asked = await peer.chat(part.sessionKey, "What is my name?");
		expect(peer.said(asked.runId)).toContain("Alice");
		expect((await history(sessionKey)).messages).toHaveLength(4);
		expect((await list()).sessions.map(({ label }) => label)).toEqual([
			"Other way",
			"Talk (copy)",
			"Talk",
		]);
		const unknown = await peer.ask("sessions.fork", { sessionKey, upTo: randomUUID() });
		expect(unknown.error?.code).toBe(404);
	});

	it("a fork in the middle of a turn has the turns before it", async () => {
		const sessionKey = await peer.createSession();
		await peer.chat(sessionKey, "Hello");
		const message = "/stream 300 words every 5ms";
		await peer.call("chat.send", { sessionKey, message });
		await peer.frame(({ data }) => data?.text === "w10 ");
		const fork = await peer.call<{ sessionKey: string }>("sessions.fork", { sessionKey });
		expect((await history(fork.sessionKey)).messages).toHaveLength(2);
	});

	it("are searched by label and by what was said, in any case, with an excerpt", async () => {
		const one = await peer.createSession({ label: "Holiday in Rome" });
		const two = await peer.createSession();
		await peer.chat(two, `${"x ".repeat(200)}the Colosseum of ROME${" y".repeat(200)}`);
		await peer.createSession({ label: "Work" });
		const { matches, cursor } = await peer.call<{
			matches: { session: Meta; excerpt: string; role?: string }[];
			cursor: string | null;
		}>("sessions.search", { query: "rome" });
		expect(matches.map(({ session }) => session.key)).toEqual([two, one]);
		expect(matches[0]?.excerpt).toMatch(/^….*Colosseum of ROME.*…$/);
		expect(cursor).toBeNull();
		expect(await peer.call("sessions.search", { query: "(.*" })).toMatchObject({ matches: [] });
	});

	it("a search pages through many sessions", async () => {
		const keys = new Set<string>();
		for (let i = 0; i < 30; i++) keys.add(await peer.createSession({ label: `Note ${i}` }));
		const found: string[] = [];
		let cursor: string | null = null;
		do {
			const page: { matches: { session: Meta }[]; cursor: string | null } = await peer.call(
				"sessions.search",
				{ query: "note", limit: 7, ...(cursor && { cursor }) },
			);
			found.push(...page.matches.map(({ session }) => session.key));
			cursor = page.cursor;
		} while (cursor);
		expect(found).toHaveLength(30);
		expect(new Set(found)).toEqual(keys);
	});
});

describe("agents", () => {
	it("an agent whose model is not there is refused by name; one by its own name is taken", async () => {
		const refused = await peer.ask("sessions.create", { agentId: "no-such" });
		expect(refused.error).toMatchObject({ code: -32602 });
		expect(refused.error?.message).toContain("assistant");
		await peer.createSession({ agentId: "demo" });
		expect((await list()).sessions[0]?.agentId).toBe("demo");
	});

	it("AGENTS.md is read anew, and what is wrong with it is said", async () => {
		const path = join(folder.path, "workspace", "AGENTS.md");
		await mkdir(join(folder.path, "workspace"));
		await writeFile(path, "## Poet\nModel: demo\nDescription: Writes.\n");
		expect(await peer.call("agents.list")).toMatchObject({
			agents: [{ id: "poet", name: "Poet", model: "demo", description: "Writes." }],
		});
		const key = await peer.createSession();
		expect((await list()).sessions.find((one) => one.key === key)?.agentId).toBe("poet");
		await writeFile(path, "Nothing of use.");
		const { agents, warnings } = await peer.call<{ agents: object[]; warnings: string[] }>(
			"agents.list",
		);
		expect(agents).toMatchObject([{ id: "assistant", model: "anthropic/claude-opus-4-6" }]);
		expect(warnings).toEqual([expect.stringContaining('no "## <name>" heading')]);
	});
});

describe("files that something happened to", () => {
	async function talk(turns: number): Promise<string> {
		const sessionKey = await peer.createSession();
		for (let i = 0; i < turns; i++) await peer.chat(sessionKey, `/stream ${i + 1} words`);
		return sessionKey;
	}

	it("a torn last line costs that line, and the conversation goes on", async () => {
		const key = await talk(2);
		await restart(async () => {
			const text = await readFile(fileOf(key), "utf8");
			await writeFile(fileOf(key), text.slice(0, -20));
		});
		expect((await history(key)).messages).toHaveLength(3);
		await peer.chat(key, "Hello again");
		expect((await history(key)).messages).toHaveLength(5);
	});

	it("a corrupt line in the middle is left out, and everything else is there", async () => {
		const key = await talk(3);
		await restart(async () => {
			const lines = (await readFile(fileOf(key), "utf8")).split("\n");
			lines[2] = '{"role":"user","content":"bro';
			await writeFile(fileOf(key), lines.join("\n"));
		});
		expect((await history(key)).messages).toHaveLength(5);
		const got = await peer.call<{ messages: object[] }>("sessions.get", { sessionKey: key });
		expect(got.messages).toHaveLength(5);
		await peer.chat(key, "Hello again");
		expect((await history(key)).messages).toHaveLength(7);
	});

	it("an empty transcript is a conversation without messages", async () => {
		const key = await talk(1);
		await restart(() => writeFile(fileOf(key), ""));
		expect((await history(key)).messages).toEqual([]);
		await peer.chat(key, "Hello");
		expect((await history(key)).messages).toHaveLength(2);
	});

	it("sessions that the seed's own SessionManager wrote are the local owner's, and are continued", async () => {
		let key = "";
		await restart(async () => {
			const manager = new SessionManager(join(folder.path, "sessions"));
			const session = await manager.create();
			key = session.meta.key;
			const now = Date.now();
			await session.appendEvent({ role: "user", content: "My name is Bob.", timestamp: now });
			await session.appendEvent({ role: "assistant", content: "Hello, Bob!", timestamp: now });
		});
		const newer = await peer.createSession();
		expect((await list()).sessions.map((one) => one.key)).toEqual([newer, key]);
		expect((await list({ limit: 1 })).sessions.map((one) => one.key)).toEqual([newer]);
		const { cursor } = await list({ limit: 1 });
		expect((await list({ limit: 1, cursor })).sessions.map((one) => one.key)).toEqual([key]);
		const asked = await peer.chat(key, "What is my name?");
		expect(peer.said(asked.runId)).toContain("Bob");
		expect((await history(key)).messages).toHaveLength(4);
		const bob = await gateway.open(BOB);
		expect((await bob.ask("sessions.get", { sessionKey: key })).error?.code).toBe(404);
	});

	it("and what the gateway wrote, the seed's own functions read", async () => {
		const key = await talk(2);
		const { messages } = await history(key);
		const manager = new SessionManager(join(folder.path, "sessions"));
		const session = await manager.get(key);
		const events = await session!.readEvents();
		expect(events.map(({ role, content }) => ({ role, content }))).toEqual(
			messages.map(({ role, content }) => ({ role, content })),
		);
		expect(await manager.list()).toMatchObject([{ key, agentId: "assistant" }]);
	});
});

it("two senders on one session: every message is stored once and answered in turn", async () => {
	const other = await gateway.open();
	const sessionKey = await peer.createSession();
	const sends = [peer, other].flatMap((who, w) =>
		Array.from({ length: 10 }, (_, i) =>
			who.call<{ runId: string }>("chat.send", {
				sessionKey,
				message: `/stream ${w * 10 + i + 1} words`,
			}),
		),
	);
	const runs = (await Promise.all(sends)).map(({ runId }) => runId);
	expect(new Set(runs).size).toBe(20);
	await Promise.all(runs.slice(0, 10).map((runId) => peer.end(runId)));
	await Promise.all(runs.slice(10).map((runId) => other.end(runId)));
	const { messages } = await history(sessionKey);
	expect(messages.filter(({ role }) => role === "user")).toHaveLength(20);
	expect(messages.filter(({ role }) => role === "assistant")).toHaveLength(20);
	for (const [i, runId] of runs.entries()) {
		const words = (i < 10 ? peer : other).said(runId).split(" ");
		expect(words).toHaveLength(i + 1);
	}
});

it("a turn cut off by a kill is gone on with at the next start, and shows it", async () => {
	const sessionKey = await peer.createSession();
	// As a killed process leaves it: the turn has begun, nobody drives it.
	const runId = randomUUID();
	await gateway.close();
	const store = await openStore({ driver: "files", dir: folder.path });
	const sessions = store.collection<SessionValue>("sessions");
	await sessions.append(
		sessionKey,
		"events",
		[
			{ type: "input_admitted", run_id: runId, content: "/stream 5 words" },
			{ type: "init", run_id: runId, session_id: sessionKey, agent: "demo" },
			{ type: "message", run_id: runId, role: "assistant", content: "w1 ", delta: true },
		],
		{ swap: { register: "run", from: null, to: runId } },
	);
	await sessions.setAlarm(sessionKey, 1);
	await store.close();
	await start();
	await peer.call("chat.subscribe", { sessionKey, after: 0 });
	await peer.end(runId);
	expect(peer.events("chat.recovered")).toMatchObject([{ data: { runId, attempt: 2 } }]);
	expect(peer.said(runId)).toBe("w1 w2 w3 w4 w5");
	await waitFor(async () => (await history(sessionKey)).messages.length === 2);
});
