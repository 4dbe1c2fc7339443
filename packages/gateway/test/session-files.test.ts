import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionValue } from "@baton/agent";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { SessionManager } from "../src";
import { BOB } from "./support/gateway-fixture";
import { useFilesGateway } from "./support/use-files-gateway";

const at = useFilesGateway();
const { start, restart, fileOf, list, history } = at;

describe("files that something happened to", () => {
	async function talk(turns: number): Promise<string> {
		const sessionKey = await at.peer.createSession();
		for (let i = 0; i < turns; i++) await at.peer.chat(sessionKey, `/stream ${i + 1} words`);
		return sessionKey;
	}

	it("a torn last line costs that line, and the conversation goes on", async () => {
		const key = await talk(2);
		await restart(async () => {
			const text = await readFile(fileOf(key), "utf8");
			await writeFile(fileOf(key), text.slice(0, -20));
		});
		expect((await history(key)).messages).toHaveLength(3);
		await at.peer.chat(key, "Hello again");
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
		const got = await at.peer.call<{ messages: object[] }>("sessions.get", { sessionKey: key });
		expect(got.messages).toHaveLength(5);
		await at.peer.chat(key, "Hello again");
		expect((await history(key)).messages).toHaveLength(7);
	});

	it("an empty transcript is a conversation without messages", async () => {
		const key = await talk(1);
		await restart(() => writeFile(fileOf(key), ""));
		expect((await history(key)).messages).toEqual([]);
		await at.peer.chat(key, "Hello");
		expect((await history(key)).messages).toHaveLength(2);
	});

	it("sessions that the seed's own SessionManager wrote are the local owner's, and are continued", async () => {
		let key = "";
		await restart(async () => {
			const manager = new SessionManager(join(at.folder, "sessions"));
			const session = await manager.create();
			key = session.meta.key;
			const now = Date.now();
			await session.appendEvent({ role: "user", content: "My name is Bob.", timestamp: now });
			await session.appendEvent({ role: "assistant", content: "Hello, Bob!", timestamp: now });
		});
		const newer = await at.peer.createSession();
		expect((await list()).sessions.map((one) => one.key)).toEqual([newer, key]);
		expect((await list({ limit: 1 })).sessions.map((one) => one.key)).toEqual([newer]);
		const { cursor } = await list({ limit: 1 });
		expect((await list({ limit: 1, cursor })).sessions.map((one) => one.key)).toEqual([key]);
		const asked = await at.peer.chat(key, "What is my name?");
		expect(at.peer.said(asked.runId)).toContain("Bob");
		expect((await history(key)).messages).toHaveLength(4);
		const bob = await at.gateway.open(BOB);
		expect((await bob.ask("sessions.get", { sessionKey: key })).error?.code).toBe(404);
	});

	it("and what the gateway wrote, the seed's own functions read", async () => {
		const key = await talk(2);
		const { messages } = await history(key);
		const manager = new SessionManager(join(at.folder, "sessions"));
		const session = await manager.get(key);
		const events = await session!.readEvents();
		expect(events.map(({ role, content }) => ({ role, content }))).toEqual(
			messages.map(({ role, content }) => ({ role, content })),
		);
		expect(await manager.list()).toMatchObject([{ key, agentId: "assistant" }]);
	});
});

it("a turn cut off by a kill is gone on with at the next start, and shows it", async () => {
	const sessionKey = await at.peer.createSession();
	// As a killed process leaves it: the turn has begun, nobody drives it.
	const runId = randomUUID();
	await at.gateway.close();
	const store = await openStore({ driver: "files", dir: at.folder });
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
	await at.peer.call("chat.subscribe", { sessionKey, after: 0 });
	await at.peer.end(runId);
	expect(at.peer.events("chat.recovered")).toMatchObject([{ data: { runId, attempt: 2 } }]);
	expect(at.peer.said(runId)).toBe("w1 w2 w3 w4 w5");
	await waitFor(async () => (await history(sessionKey)).messages.length === 2);
});
