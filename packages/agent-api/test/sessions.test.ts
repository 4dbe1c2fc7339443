import type { SessionValue } from "@baton/agent";
import { EVENTS_LOG } from "@baton/agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	ADA,
	type ApiFixture,
	allLines,
	BOB,
	hang,
	type Line,
	lines,
	openApi,
	scripted,
} from "./api-fixture";

type Json = Record<string, unknown>;
type Row = Json & { id: string; state: string };

/** Does what the message says: hangs, fails, asks the page, or repeats it. */
const obedient = scripted(async function* (turn) {
	const { content } = turn.input;
	if (content.startsWith("hang")) return yield* hang(turn);
	if (content.startsWith("fail")) throw new Error("It failed.");
	if (content.startsWith("ask")) await turn.ask({ type: "snapshot_request", instruction: "Read" });
	for (const word of content.split(" ")) {
		yield { type: "message", role: "assistant", content: `${word} `, delta: true };
	}
	return undefined;
});

describe("what an owner reads of its sessions", () => {
	let open: ApiFixture;
	beforeEach(async () => {
		open = await openApi(obedient);
	});
	afterEach(() => open.close());
	const get = (path: string, key = ADA) =>
		open.api.fetch(
			new Request(`http://127.0.0.1/agent-api/sessions${path}`, {
				headers: { authorization: `Bearer ${key}` },
			}),
		);
	const json = async <T = Json>(path: string) => (await (await get(path)).json()) as T;
	const rows = async (query: string) =>
		(await json<{ sessions: Row[] }>(`?details=true${query}`)).sessions;
	const namesOf = (found: Row[]) => found.map(({ session_id: name }) => name);
	const say = async (message: string, name: string, key = ADA) =>
		allLines(await open.run({ message, session_id: name }, key));
	/** Begins a turn that does not end by itself. */
	const begin = async (message: string, name: string, until: string) => {
		for await (const line of lines(await open.run({ message, session_id: name }))) {
			if (line.type === until) return;
		}
	};
	const fill = async (name: string, count: number) => {
		const id = (await json<Row>(`/${name}`)).id;
		const sessions = open.store.collection<SessionValue>("sessions");
		const words = Array.from({ length: count }, (_, i) => ({ type: "message", content: `${i}` }));
		await sessions.append(id, EVENTS_LOG, words);
		return id;
	};

	it("lists them with their state and their last words", async () => {
		await say("good day", "done");
		await say("fail now", "failed");
		await say("an earlier turn", "running");
		await begin("hang on", "running", "message");
		await begin("ask me", "waiting", "snapshot_request");
		await open.turns.create({ agentId: "scripted", owner: "ada", door: "gateway", id: "fresh" });
		const found = await rows("");
		expect(found).toMatchObject([
			{ session_id: "fresh", state: "new", door: "gateway", last_words: null, last: 0 },
			{ session_id: "waiting", state: "waiting", last_words: { role: "user", text: "ask me" } },
			{ session_id: "running", state: "running", last_words: { text: "working" } },
			{
				session_id: "failed",
				state: "failed",
				last_words: { text: "The agent failed: It failed." },
			},
			{ session_id: "done", state: "done", last_words: { role: "assistant", text: "good day" } },
		]);
	});

	it("finds them by text, state, door and agent", async () => {
		await say("about whales", "one");
		await say("about birds", "two");
		await say("fail with whales", "three");
		await open.turns.create({ agentId: "other", owner: "ada", door: "gateway", id: "four" });
		expect(namesOf(await rows("&q=WHALES"))).toEqual(["three", "one"]);
		expect(namesOf(await rows("&q=whales&state=done"))).toEqual(["one"]);
		expect(namesOf(await rows("&door=gateway"))).toEqual(["four"]);
		expect(namesOf(await rows("&agent=other"))).toEqual(["four"]);
		expect(namesOf(await rows("&q=two"))).toEqual(["two"]);
		expect(await rows("&q=nothing-of-the-kind")).toEqual([]);
	});

	it("a search looks at so many and tells where to go on", async () => {
		for (let i = 0; i < 520; i++) {
			const label = i < 3 ? "needle" : "hay";
			await open.turns.create({ agentId: "a", owner: "ada", door: "web", id: `s${i}`, label });
		}
		type Page = { sessions: Row[]; cursor: string | null; looked: number };
		const first = await json<Page>("?q=needle&limit=5");
		expect(first).toMatchObject({ sessions: [], looked: 500 });
		const second = await json<Page>(`?q=needle&limit=5&cursor=${first.cursor}`);
		expect(second.sessions.map(({ id }) => id)).toEqual(["s2", "s1", "s0"]);
		expect(second).toMatchObject({ cursor: null, looked: 20 });
	});

	it("tells where one stands, and who drives it", async () => {
		await begin("hang on", "chat", "message");
		const now = await json("/chat");
		expect(now).toMatchObject({ state: "running", first: 1, last: 3, settled: 0 });
		expect(now.runner).toMatchObject({ holder: "test", token: expect.any(Number) });
		expect((now.runner as { remaining_ms: number }).remaining_ms).toBeGreaterThan(0);
		await open.post("abort", { session_id: "chat" });
		await expect.poll(async () => (await json("/chat")).state).toBe("stopped");
		await expect.poll(async () => (await json("/chat")).runner).toBe(null);
	});

	it("reads events page by page, each once", async () => {
		await say("hi", "chat");
		await fill("chat", 1_300);
		const seqs: number[] = [];
		let after = 0;
		type Page = { first: number; last: number; after: number; events: Line[] };
		for (;;) {
			const page = await json<Page>(`/chat/events?after=${after}&limit=500`);
			expect(page).toMatchObject({ first: 1, last: 1_304, reset: null });
			seqs.push(...page.events.map(({ seq = 0 }) => seq));
			if (page.after === page.last) break;
			after = page.after;
		}
		expect(seqs).toEqual(Array.from({ length: 1_304 }, (_, i) => i + 1));
	});

	it("leaves out text where it is not wanted, however much there is", async () => {
		await say("hi", "chat");
		await fill("chat", 3_000);
		const page = await json<{ after: number; events: Line[] }>("/chat/events?text=false");
		expect(page.events.map(({ type }) => type)).toEqual(["input_admitted", "init", "result"]);
		expect(page.after).toBe(3_004);
	});

	it("says so when a cursor is before what is kept", async () => {
		await say("hi", "chat");
		const id = await fill("chat", 100);
		const sessions = open.store.collection<SessionValue>("sessions");
		await sessions.trim(id, EVENTS_LOG, 51);
		const page = await json<{ events: Line[] }>("/chat/events?after=10&limit=2");
		expect(page).toMatchObject({ first: 51, reset: { reason: "trimmed", first: 51 } });
		expect(page.events.map(({ seq }) => seq)).toEqual([51, 52]);
		const exported = await allLines(await get("/chat/export"));
		expect(exported.map(({ seq }) => seq)).toEqual(Array.from({ length: 54 }, (_, i) => i + 51));
	});

	it("follows one: what is there, then what comes, without a gap", async () => {
		await say("one two", "chat");
		const followed = lines(await get("/chat/events?follow=true&after=2"));
		const seqs: unknown[] = [];
		const next = async (count: number) => {
			while (count-- > 0) seqs.push((await followed.next()).value?.seq);
		};
		await next(3);
		const second = say("three four", "chat");
		await next(5);
		await second;
		expect(seqs).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
		await followed.return();
	});

	it("exports the log as it is stored", async () => {
		await say("one two three", "chat");
		const response = await get("/chat/export");
		expect(response.headers.get("content-disposition")).toMatch(
			/^attachment; filename="session-[0-9a-f-]{36}\.ndjson"$/,
		);
		const { id } = await json<Row>("/chat");
		const sessions = open.store.collection<SessionValue>("sessions");
		const { entries } = await sessions.read(id, EVENTS_LOG);
		const stored = entries.map(({ seq, event }) => ({ seq, ...(event as Json) }));
		expect(await allLines(response)).toEqual(stored);
	});

	it("watches those in view, and tells of new ones and of those that are gone", async () => {
		await say("hi", "chat");
		const { id } = await json<Row>("/chat");
		const since = Date.now() + 1;
		const watched = lines(await get(`?watch=true&id=${id}&since=${since}`));
		const until = async (fits: (line: Line) => boolean) => {
			for (;;) {
				const line = (await watched.next()).value as Line;
				if (fits(line)) return line;
			}
		};
		expect(await until(() => true)).toMatchObject({ type: "session", id, state: "done" });
		await begin("hang on", "chat", "message");
		await until((line) => line.id === id && line.state === "running");
		await open.post("abort", { session_id: "chat" });
		await until((line) => line.id === id && line.state === "stopped");
		await say("of bob", "bobs", BOB);
		await say("hello", "newcomer");
		expect(await until((line) => line.id !== id)).toMatchObject({ session_id: "newcomer" });
		await open.store.collection("sessions").delete(id);
		await until((line) => line.type === "gone" && line.id === id);
		await watched.return();
	});

	it("hides another owner's, whatever is asked", async () => {
		await say("mine", "chat");
		const { id } = await json<Row>("/chat");
		for (const path of [`/${id}`, `/${id}/events`, `/${id}/events?follow=true`, `/${id}/export`]) {
			expect((await get(path, BOB)).status).toBe(404);
			expect((await get(path)).status).toBe(200);
		}
		const bobs = (await (await get("?details=true", BOB)).json()) as { sessions: Row[] };
		expect(bobs.sessions).toEqual([]);
		const watched = lines(await get(`?watch=true&id=${id}`, BOB));
		expect((await watched.next()).value).toEqual({ type: "gone", id });
		await watched.return();
	});

	it("reads an open session again: its record says that all is over after its log does", async () => {
		await say("hi", "chat");
		const { id } = await json<Row>("/chat");
		const watched = lines(await get(`?watch=true&id=${id}`));
		const stateOf = async () => ((await watched.next()).value as Line).state;
		expect(await stateOf()).toBe("done");
		await fill("chat", 1);
		expect(await stateOf()).toBe("running");
		expect(await stateOf()).toBe("done");
		await watched.return();
	});

	it("watches no more than a view", async () => {
		expect((await get(`?watch=true${"&id=a".repeat(101)}`)).status).toBe(400);
	});

	it.each([
		["?limit=201", 400],
		["?state=asleep", 400],
		["?cursor=nonsense", 400],
		["?details=yes", 400],
		["?watch=true&id=../x", 400],
		["/chat/events?after=-1", 400],
		["/chat/events?after=1.5", 400],
		["/chat/events?limit=0", 400],
		["/chat/events?limit=5000", 400],
		["/no-such-chat", 404],
		["/%E0%A4%A", 404],
		["/chat/elsewhere", 404],
	])("refuses %s with %i", async (path, status) => {
		await say("hi", "chat");
		const response = await get(path);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ ok: false, message: expect.any(String) });
	});

	it("reads a conversation from its end, page by page, as it is stored", async () => {
		for (const words of ["one", "two", "three"]) await say(words, "talk");
		type Page = { first: number; has_more: boolean; messages: Json[] };
		const last = await json<Page>("/talk/messages?limit=4");
		expect(last.messages).toMatchObject([
			{ role: "user", content: "two" },
			{ role: "assistant", content: "two ", status: "success", runId: expect.any(String) },
			{ role: "user", content: "three", timestamp: expect.any(Number) },
			{ role: "assistant", content: "three " },
		]);
		expect([last.first, last.has_more]).toEqual([3, true]);
		const before = await json<Page>(`/talk/messages?limit=4&before=${last.first}`);
		expect(before.messages.map(({ content }) => content)).toEqual(["one", "one "]);
		expect(before.has_more).toBe(false);
		expect((await get("/talk/messages", BOB)).status).toBe(404);
		expect((await get("/talk/messages?limit=0")).status).toBe(400);
	});

	it("removes a session with what runs in it, for its owner alone", async () => {
		await begin("hang on", "doomed", "message");
		const remove = (path: string, key = ADA) =>
			open.api.fetch(
				new Request(`http://127.0.0.1/agent-api/sessions${path}`, {
					method: "DELETE",
					headers: { authorization: `Bearer ${key}` },
				}),
			);
		expect((await remove("/doomed", BOB)).status).toBe(404);
		const { id } = await json<Row>("/doomed");
		const following = get(`/${id}/events?follow=true`).then((response) => response.text());
		expect(await (await remove("/doomed")).json()).toEqual({ ok: true });
		const told = (await following).trimEnd().split("\n");
		expect(told.at(-2)).toContain('"status":"aborted"');
		expect(told.at(-1)).toBe('{"type":"gone"}');
		expect((await get("/doomed")).status).toBe(404);
		expect((await remove("/doomed")).status).toBe(404);
		for (const path of ["", `/${id}/events`]) expect((await remove(path)).status).toBe(405);
	});
});
