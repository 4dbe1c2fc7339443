import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SessionValue } from "@baton/agent";
import { waitFor } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { type Meta, useFilesGateway } from "./support/use-files-gateway";

const at = useFilesGateway();
const { restart, fileOf, list, history } = at;

describe("sessions", () => {
	it("are made with a UUID, the default agent and no label, and found again", async () => {
		const sessionKey = await at.peer.createSession();
		const { session, messages } = await at.peer.call<{ session: Meta; messages: object[] }>(
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
		for (let i = 0; i < 12; i++) keys.unshift(await at.peer.createSession());
		expect((await list()).sessions.map(({ key }) => key)).toEqual(keys);
		const paged: string[] = [];
		let cursor: string | null = null;
		do {
			const page = await list({ limit: 5, ...(cursor && { cursor }) });
			paged.push(...page.sessions.map(({ key }) => key));
			cursor = page.cursor;
		} while (cursor);
		expect(paged).toEqual(keys);
		expect((await at.peer.ask("sessions.list", { cursor: "nonsense" })).error?.code).toBe(-32602);
		expect((await at.peer.ask("sessions.list", { limit: 0 })).error?.code).toBe(-32602);
	});

	it("of other doors of the same owner are there too", async () => {
		const sessions = at.gateway.store.collection<SessionValue>("sessions");
		const made = await at.gateway.turns.create({
			agentId: "demo",
			owner: "local",
			door: "agent-api",
		});
		expect((await list()).sessions).toMatchObject([{ key: made.key, door: "agent-api" }]);
		await at.peer.chat(made.key, "Hello");
		expect((await sessions.tail(made.key, "transcript", 5)).entries).toHaveLength(2);
	});

	it("are named by the first message, in one line, unless they have a name of their own", async () => {
		const labelOf = async (key: string) =>
			(await list()).sessions.find((session) => session.key === key)?.label;
		const named = async (key: string, wanted: string) =>
			waitFor(async () => (await labelOf(key)) === wanted, { what: wanted });
		const plain = await at.peer.createSession();
		await at.peer.chat(plain, "  My name\n is Ada.  ");
		await named(plain, "My name is Ada.");
		await at.peer.chat(plain, "Who am I?");
		expect(await labelOf(plain)).toBe("My name is Ada.");

		const own = await at.peer.createSession({ label: "Mine" });
		await at.peer.chat(own, "Hello");
		expect(await labelOf(own)).toBe("Mine");

		const long = await at.peer.createSession();
		await at.peer.chat(long, `${"x".repeat(79)}👋 and more`);
		await named(long, "x".repeat(79));

		await at.peer.call("sessions.patch", { sessionKey: plain, label: null });
		await at.peer.chat(plain, "Hello again");
		expect(await labelOf(plain)).toBeUndefined();
	});

	it("take a label, and lose it", async () => {
		const sessionKey = await at.peer.createSession({ label: "  First  " });
		expect((await list()).sessions[0]?.label).toBe("First");
		const { session } = await at.peer.call<{ session: Meta }>("sessions.patch", {
			sessionKey,
			label: "Second",
		});
		expect(session.label).toBe("Second");
		await restart();
		expect((await list()).sessions[0]?.label).toBe("Second");
		await at.peer.call("sessions.patch", { sessionKey, label: null });
		expect((await list()).sessions[0]).not.toHaveProperty("label");
		expect((await at.peer.ask("sessions.patch", { sessionKey, label: "" })).error?.code).toBe(
			-32602,
		);
	});

	it("are deleted with their files, also in the middle of a turn, which stops", async () => {
		const sessionKey = await at.peer.createSession();
		const message = "/stream 5000 words every 5ms";
		const { runId } = await at.peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		await at.peer.frame(({ event }) => event === "chat.delta");
		expect(await at.peer.call("sessions.delete", { sessionKey })).toEqual({ deleted: true });
		expect(await at.peer.end(runId)).toMatchObject({
			event: "chat.error",
			data: { aborted: true },
		});
		await expect(readFile(fileOf(sessionKey))).rejects.toThrow("ENOENT");
		expect((await list()).sessions).toEqual([]);
	});

	it("are forked: whole, or up to a turn; the copy goes on with what it knows", async () => {
		const sessionKey = await at.peer.createSession({ label: "Talk" });
		const { runId } = await at.peer.chat(sessionKey, "My name is Alice.");
		await at.peer.chat(sessionKey, "/stream 3 words");
		const whole = await at.peer.call<{ sessionKey: string }>("sessions.fork", { sessionKey });
		expect(whole).toMatchObject({ messages: 4 });
		expect((await history(whole.sessionKey)).messages).toEqual(
			(await history(sessionKey)).messages,
		);
		const part = await at.peer.call<{ sessionKey: string }>("sessions.fork", {
			sessionKey,
			upTo: runId,
			label: "Other way",
		});
		expect(part).toMatchObject({ messages: 2 });
		const asked = await at.peer.chat(part.sessionKey, "What is my name?");
		expect(at.peer.said(asked.runId)).toContain("Alice");
		expect((await history(sessionKey)).messages).toHaveLength(4);
		expect((await list()).sessions.map(({ label }) => label)).toEqual([
			"Other way",
			"Talk (copy)",
			"Talk",
		]);
		const unknown = await at.peer.ask("sessions.fork", { sessionKey, upTo: randomUUID() });
		expect(unknown.error?.code).toBe(404);
	});

	it("a fork in the middle of a turn has the turns before it", async () => {
		const sessionKey = await at.peer.createSession();
		await at.peer.chat(sessionKey, "Hello");
		const message = "/stream 300 words every 5ms";
		await at.peer.call("chat.send", { sessionKey, message });
		await at.peer.frame(({ data }) => data?.text === "w10 ");
		const fork = await at.peer.call<{ sessionKey: string }>("sessions.fork", { sessionKey });
		expect((await history(fork.sessionKey)).messages).toHaveLength(2);
	});

	it("are searched by label and by what was said, in any case, with an excerpt", async () => {
		const one = await at.peer.createSession({ label: "Holiday in Rome" });
		const two = await at.peer.createSession();
		await at.peer.chat(two, `${"x ".repeat(200)}the Colosseum of ROME${" y".repeat(200)}`);
		await at.peer.createSession({ label: "Work" });
		const { matches, cursor } = await at.peer.call<{
			matches: { session: Meta; excerpt: string; role?: string }[];
			cursor: string | null;
		}>("sessions.search", { query: "rome" });
		expect(matches.map(({ session }) => session.key)).toEqual([two, one]);
		expect(matches[0]?.excerpt).toMatch(/^….*Colosseum of ROME.*…$/);
		expect(cursor).toBeNull();
		expect(await at.peer.call("sessions.search", { query: "(.*" })).toMatchObject({ matches: [] });
	});

	it("a search pages through many sessions", async () => {
		const keys = new Set<string>();
		for (let i = 0; i < 30; i++) keys.add(await at.peer.createSession({ label: `Note ${i}` }));
		const found: string[] = [];
		let cursor: string | null = null;
		do {
			const page: { matches: { session: Meta }[]; cursor: string | null } = await at.peer.call(
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

it("two senders on one session: every message is stored once and answered in turn", async () => {
	const other = await at.gateway.open();
	const sessionKey = await at.peer.createSession();
	const sends = [at.peer, other].flatMap((who, w) =>
		Array.from({ length: 10 }, (_, i) =>
			who.call<{ runId: string }>("chat.send", {
				sessionKey,
				message: `/stream ${w * 10 + i + 1} words`,
			}),
		),
	);
	const runs = (await Promise.all(sends)).map(({ runId }) => runId);
	expect(new Set(runs).size).toBe(20);
	await Promise.all(runs.slice(0, 10).map((runId) => at.peer.end(runId)));
	await Promise.all(runs.slice(10).map((runId) => other.end(runId)));
	const { messages } = await history(sessionKey);
	expect(messages.filter(({ role }) => role === "user")).toHaveLength(20);
	expect(messages.filter(({ role }) => role === "assistant")).toHaveLength(20);
	for (const [i, runId] of runs.entries()) {
		const words = (i < 10 ? at.peer : other).said(runId).split(" ");
		expect(words).toHaveLength(i + 1);
	}
});
