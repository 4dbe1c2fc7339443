import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chunksOf, type Json, postTo, said } from "./support/chat-requests";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });
const PATIENT = { timeout: 30_000, interval: 100 };

let server: WebServer;
const post = (path: string, body: unknown, headers: Json = {}) =>
	postTo(server.url, path, body, headers);
const historyOf = async (id: string): Promise<{ isRunning: boolean; messages: Json[] }> =>
	(await fetch(`${server.url}/api/chat/${id}`)).json();
const textOf = (chunks: Json[]) => chunks.map(({ delta = "" }) => delta).join("");

describe("the web app's routes", () => {
	beforeAll(async () => {
		server = await startWeb();
	});
	afterAll(() => server?.stop());

	it("stream a reply under an id that follows from the message's", async () => {
		const response = await post("/api/chat", { id: "plain", messages: [said("count to 5", "m1")] });
		const chunks = await chunksOf(response);
		expect(chunks[0]).toEqual({ type: "start", messageId: "reply-m1" });
		expect(textOf(chunks)).toBe("1 2 3 4 5");
		expect(chunks.at(-1)).toMatchObject({ type: "finish" });
	});

	it("take the same message twice as one", async () => {
		const body = { id: "twice", messages: [said("count to 3", "m1")] };
		await chunksOf(await post("/api/chat", body));
		expect(textOf(await chunksOf(await post("/api/chat", body)))).toBe("1 2 3");
		const { messages } = await (await fetch(`${server.url}/api/chat/twice`)).json();
		expect(messages).toHaveLength(2);
	});

	it("replay a turn that runs as it was streamed, and answer 204 when none does", async () => {
		const id = "running";
		const first = chunksOf(
			await post("/api/chat", { id, messages: [said("count to 60 every 30ms", "m1")] }),
		);
		await expect.poll(async () => (await historyOf(id)).isRunning, PATIENT).toBe(true);
		const replay = await fetch(`${server.url}/api/chat/${id}/stream`);
		expect(replay.status).toBe(200);
		const [live, again] = await Promise.all([first, chunksOf(replay)]);
		expect(textOf(again)).toBe(textOf(live));
		expect(again[0]).toEqual(live[0]);
		const idsOf = (chunks: Json[]) => new Set(chunks.map((chunk) => chunk.id));
		expect(idsOf(again)).toEqual(idsOf(live));
		const after = await fetch(`${server.url}/api/chat/${id}/stream`);
		expect(after.status).toBe(204);
		expect((await fetch(`${server.url}/api/chat/never-heard-of/stream`)).status).toBe(204);
	});

	it("stop an agent whose reader is gone: a page that leaves stops nothing", async () => {
		const id = "left";
		const leave = new AbortController();
		const body = JSON.stringify({ id, messages: [said("count to 5000 every 10ms")] });
		await fetch(`${server.url}/api/chat`, { method: "POST", body, signal: leave.signal });
		leave.abort();
		await expect.poll(async () => (await historyOf(id)).isRunning, PATIENT).toBe(true);
		expect(await (await post(`/api/chat/${id}/stop`, {})).json()).toEqual({ ok: true });
		await expect.poll(async () => (await historyOf(id)).isRunning, PATIENT).toBe(false);
		expect((await historyOf(id)).messages[1]?.metadata).toMatchObject({ status: "aborted" });
	});

	it("take the answers of a page by its chat alone", async () => {
		const id = "answers";
		const message = said("I am Ada, ada@example.org, start in May");
		const chunks = await chunksOf(await post("/api/chat", { id, messages: [message] }));
		const call = chunks.find(({ type }) => type === "tool-input-available");
		expect(call).toMatchObject({ toolName: "getFormSnapshot" });
		const part = {
			type: "tool-getFormSnapshot",
			toolCallId: call?.toolCallId,
			state: "output-available",
			input: call?.input,
			output: { fields: [] },
		};
		const reply = { id: chunks[0]?.messageId, role: "assistant", parts: [part] };
		const rest = await post("/api/chat", { id, messages: [message, reply] });
		expect(textOf(await chunksOf(rest))).toContain("There are no fields in it.");
	});

	it("give a call to one claim", async () => {
		const id = "claims";
		const chunks = await chunksOf(
			await post("/api/chat", { id, messages: [said("I am Ada, ada@example.org, start in May")] }),
		);
		const toolCallId = chunks.find(({ type }) => type === "tool-input-available")?.toolCallId;
		const claim = (claimId: string) => post(`/api/chat/${id}/claim`, { toolCallId, claimId });
		expect((await claim("one")).status).toBe(200);
		expect((await claim("one")).status).toBe(200);
		const other = await claim("two");
		expect(other.status).toBe(409);
		expect(await other.json()).toMatchObject({ errorCode: "CLAIMED" });
		// For the other page the turn is somebody else's to go on with: its stream stays open.
		const watch = new AbortController();
		const stream = await fetch(`${server.url}/api/chat/${id}/stream?claimId=two`, {
			signal: watch.signal,
		});
		const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
		let text = "";
		while (!text.includes("tool-input-delta")) text += (await reader.read()).value;
		expect(text).not.toContain("tool-input-available");
		watch.abort();
		await post(`/api/chat/${id}/stop`, {});
	});

	it.each<[string, unknown, number]>([
		["no JSON", "{", 400],
		["no messages", { id: "bad", messages: [] }, 400],
		["an id that is not plain", { id: "../x", messages: [said("hi")] }, 400],
		["no text", { id: "bad", messages: [said("")] }, 400],
		["a message of nobody", { id: "bad", messages: [{ id: "m", role: "robot", parts: [] }] }, 400],
		["a message id that is not plain", { id: "bad", messages: [said("hi", "m 1")] }, 400],
		[
			"a reply with nothing new",
			{ id: "bad", messages: [said("hi"), { id: "r", role: "assistant", parts: [] }] },
			400,
		],
		["too much", { id: "bad", messages: [said("x".repeat(3_000_000))] }, 413],
		["too long a message", { id: "bad", messages: [said("x".repeat(200_000))] }, 400],
	])("refuse %s in words", async (_, body, status) => {
		const response = await post("/api/chat", body);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ ok: false, message: expect.any(String) });
	});

	it("refuse pages of other sites, and names that only seem to be this server's", async () => {
		const body = { id: "foreign", messages: [said("hi")] };
		const foreign = await post("/api/chat", body, { origin: "https://evil.example" });
		expect(foreign.status).toBe(403);
		const status = await new Promise((resolve, reject) => {
			const options = { headers: { host: "evil.example" } };
			request(`${server.url}/api/chats`, options, (answer) => resolve(answer.statusCode))
				.on("error", reject)
				.end();
		});
		expect(status).toBe(421);
	});

	it("show the one owner's sessions of every door", async () => {
		const key = /Bearer ([\w-]+)"/.exec(server.tryIt)?.[1];
		await (
			await post(
				"/agent-api/run",
				{ type: "agent.run", message: "from the agent API", session_id: "elsewhere" },
				{ authorization: `Bearer ${key}` },
			)
		).text();
		const { chats } = await (await fetch(`${server.url}/api/chats`)).json();
		expect(chats).toContainEqual(expect.objectContaining({ id: "elsewhere" }));
	});

	it("give the console a session's log: pages, a stream, and a file that is the log", async () => {
		const id = "logged";
		await chunksOf(await post("/api/chat", { id, messages: [said("count to 5", "m1")] }));
		const sessions = `${server.url}/api/sessions`;
		const detailsOf = async () => (await fetch(`${sessions}/${id}`)).json();
		const whole = { session_id: id, state: "done", first: 1, runner: null };
		await expect.poll(detailsOf, PATIENT).toMatchObject(whole);
		const details = await detailsOf();
		const page = await (await fetch(`${sessions}/${details.id}/events?after=2&limit=3`)).json();
		expect(page).toMatchObject({ last: details.last, after: 5 });
		const file = await fetch(`${sessions}/${details.id}/export`);
		expect(file.headers.get("content-disposition")).toContain(`session-${details.id}.ndjson`);
		const logged = (await file.text())
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(logged.map(({ seq }) => seq)).toEqual(logged.map((_, index) => index + 1));
		expect(logged).toHaveLength(details.last);
		expect(logged.slice(2, 5)).toEqual(page.events);
		const leave = new AbortController();
		const { signal } = leave;
		const live = await fetch(`${sessions}/${id}/events?follow=true&after=2`, { signal });
		const reader = live.body!.pipeThrough(new TextDecoderStream()).getReader();
		let text = "";
		while (!/\{.*\n/.test(text)) text += (await reader.read()).value;
		expect(JSON.parse(text.trimStart().split("\n")[0]!)).toEqual(logged[2]);
		leave.abort();
	});

	it.each([
		["?limit=0", 400],
		["?cursor=nonsense", 400],
		["?state=asleep", 400],
		["/no-such-session", 404],
		["/no-such-session/export", 404],
		["/not%20plain", 404],
		["/plain/events?after=-1", 400],
		["/plain/events?after=one", 400],
		["/plain/events?limit=100000", 400],
	])("refuse the console's %s with %i", async (path, status) => {
		const response = await fetch(`${server.url}/api/sessions${path}`);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ ok: false, message: expect.any(String) });
	});

	it("stop a turn for the console, and not for pages of other sites", async () => {
		const id = "stopped";
		const leave = new AbortController();
		const body = JSON.stringify({ id, messages: [said("count to 5000 every 10ms")] });
		await fetch(`${server.url}/api/chat`, { method: "POST", body, signal: leave.signal });
		leave.abort();
		await expect.poll(async () => (await historyOf(id)).isRunning, PATIENT).toBe(true);
		const stop = (headers: Json) => post(`/api/sessions/${id}/abort`, {}, headers);
		expect((await stop({ origin: "https://evil.example" })).status).toBe(403);
		expect((await historyOf(id)).isRunning).toBe(true);
		expect((await stop({})).status).toBe(200);
		await expect.poll(async () => (await historyOf(id)).isRunning, PATIENT).toBe(false);
	});
});
