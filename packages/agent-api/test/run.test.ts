import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
	type ApiFixture,
	allLines,
	BOB,
	hang,
	type Line,
	lines,
	openApi,
	say,
	scripted,
} from "./api-fixture";

const types = (all: Line[]) => all.map(({ type }) => type);
const text = (all: Line[]) =>
	all
		.filter((line) => line.type === "message")
		.map((line) => line.content)
		.join("");
const initOf = (all: Line[]) => all.find(({ type }) => type === "init") ?? { type: "none" };

describe("POST /agent-api/run", () => {
	let open: ApiFixture | undefined;
	const openWith = async (...args: Parameters<typeof openApi>) => {
		open = await openApi(...args);
		return open;
	};
	afterEach(async () => {
		await open?.close();
		expect(open?.warnings ?? []).toEqual([]);
		open = undefined;
	});

	it("streams a turn: the relay first, the result last, every line numbered", async () => {
		const { run } = await openWith(scripted(say("Hello ", "world")));
		const response = await run({ message: "hi" });
		expect(response.headers.get("content-type")).toContain("application/x-ndjson");
		const [relay, ...rest] = await allLines(response);
		expect(relay).toMatchObject({
			type: "relay.session",
			sessionId: expect.any(String),
			token: expect.any(String),
			expiresAt: expect.any(Number),
			relayUrl: "http://127.0.0.1/agent-api/relay",
		});
		expect(types(rest)).toEqual(["input_admitted", "init", "message", "message", "result"]);
		expect(rest.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
		expect(new Set(rest.map((line) => line.run_id)).size).toBe(1);
		expect(rest.at(-1)).toMatchObject({ type: "result", status: "success" });
	});

	it("goes on with a session by the id that init told", async () => {
		const { run } = await openWith(
			scripted(async function* (turn) {
				const count = (await turn.history()).length;
				yield { type: "message", role: "assistant", content: `${count}`, delta: true };
				return undefined;
			}),
		);
		const first = await allLines(await run({ message: "one" }));
		const session_id = first.find(({ type }) => type === "init")?.session_id;
		const second = await allLines(await run({ message: "two", session_id }));
		expect(text(second)).toBe("2");
		expect(second[1]?.seq).toBe(5);
		expect(second.find(({ type }) => type === "init")?.session_id).toBe(session_id);
	});

	it("takes a chat id of the caller's own, for each owner another session", async () => {
		const { run } = await openWith(scripted(say("x")));
		const id = async (key?: string) =>
			(await allLines(await run({ message: "hi", session_id: "my chat/1" }, key))).find(
				({ type }) => type === "init",
			)?.session_id;
		const adas = await id();
		expect(await id()).toBe(adas);
		expect(await id(BOB)).not.toBe(adas);
	});

	it("gives two first messages of one chat one session", async () => {
		const { run } = await openWith(scripted(say("x")));
		const both = await Promise.all([
			run({ message: "one", session_id: "chat" }).then(allLines),
			run({ message: "two", session_id: "chat" }).then(allLines),
		]);
		const ids = both.map((all) => all.find(({ type }) => type === "init")?.session_id);
		expect(ids[0]).toBe(ids[1]);
		expect(both.map((all) => all.at(-1)?.status)).toEqual(["success", "success"]);
	});

	it("replays a finished turn to an attach, and closes", async () => {
		const { run } = await openWith(scripted(say("Hello ", "world")));
		const live = await allLines(await run({ message: "hi", session_id: "chat" }));
		const replay = await allLines(await run({ attach: true, session_id: "chat" }));
		expect(replay.slice(1)).toEqual(live.slice(1));
		expect(replay[0]?.type).toBe("relay.session");
		expect(replay[0]?.token).not.toBe(live[0]?.token);
		const tail = await allLines(await run({ attach: true, session_id: "chat", after: 3 }));
		expect(tail.slice(1).map(({ seq }) => seq)).toEqual([4, 5]);
		const nothing = await allLines(await run({ attach: true, session_id: "chat", after: 5 }));
		expect(types(nothing)).toEqual(["relay.session"]);
	});

	it("follows nothing any more once an attach has its end, however little there was to read", async () => {
		const { run, turns } = await openWith(scripted(say("hi")));
		const follow = vi.spyOn(turns, "follow");
		await allLines(await run({ message: "hello", session_id: "chat" }));
		for (const after of [undefined, 0, 3, 4]) {
			await allLines(await run({ attach: true, session_id: "chat", after }));
		}
		const signals = follow.mock.calls.map(([, options]) => options?.signal);
		expect(signals.length).toBeGreaterThan(4);
		expect(signals.every((signal) => signal?.aborted)).toBe(true);
	});

	it("replays the latest turn alone when an attach names no cursor", async () => {
		const { run } = await openWith(scripted(say("x")));
		await allLines(await run({ message: "one", session_id: "chat" }));
		const second = await allLines(await run({ message: "two", session_id: "chat" }));
		const replay = await allLines(await run({ attach: true, session_id: "chat" }));
		expect(replay.slice(1)).toEqual(second.slice(1));
		const all = await allLines(await run({ attach: true, session_id: "chat", after: 0 }));
		expect(all).toHaveLength(9);
	});

	it("follows a running turn from an attach to its end, and never prompts the agent", async () => {
		let runs = 0;
		let go = () => {};
		const going = new Promise<void>((resolve) => {
			go = resolve;
		});
		const { run } = await openWith(
			scripted(async function* () {
				runs++;
				yield { type: "message", role: "assistant", content: "before ", delta: true };
				await going;
				yield { type: "message", role: "assistant", content: "after", delta: true };
				return undefined;
			}),
		);
		const live = run({ message: "hi", session_id: "chat" }).then(allLines);
		const attached: Line[] = [];
		await waitFor(async () => {
			const response = await run({ attach: true, session_id: "chat" });
			return response.status === 200;
		});
		for await (const line of lines(await run({ attach: true, session_id: "chat" }))) {
			attached.push(line);
			if (line.type === "message" && line.content === "before ") go();
		}
		expect(text(attached)).toBe("before after");
		expect(attached.slice(1)).toEqual((await live).slice(1));
		expect(runs).toBe(1);
	});

	it("sends a pending request again to an attach after it, marked as repeated", async () => {
		const { run, post } = await openWith(
			scripted(async function* (turn) {
				const answer = await turn.ask({ type: "snapshot_request", instruction: "read" });
				yield { type: "message", role: "assistant", content: answer.type, delta: true };
				return undefined;
			}),
		);
		const asked: Line[] = [];
		for await (const line of lines(await run({ message: "hi", session_id: "chat" }))) {
			asked.push(line);
			if (line.type === "snapshot_request") break;
		}
		const { seq: after, requestId } = asked.at(-1) as Line;
		const rest: Line[] = [];
		for await (const line of lines(await run({ attach: true, session_id: "chat", after }))) {
			rest.push(line);
			if (line.type === "relay.session") continue;
			if (line.repeated) {
				const { sessionId, token } = rest[0] as Line;
				const response = { type: "snapshot_response", requestId, fields: [] };
				const body = { type: "relay.respond", sessionId, token, response };
				expect((await post("relay", body, null)).status).toBe(200);
			}
		}
		expect(rest[1]).toMatchObject({
			type: "snapshot_request",
			requestId,
			repeated: true,
			seq: after,
		});
		expect(types(rest.slice(2))).toEqual(["request_answered", "message", "result"]);
		expect(text(rest)).toBe("snapshot_response");
	});

	it("goes on when the client goes away", async () => {
		const { run, turns } = await openWith(
			scripted(async function* () {
				for (let i = 0; i < 50; i++) {
					yield { type: "message", role: "assistant", content: `${i} `, delta: true };
					await new Promise((resolve) => setImmediate(resolve));
				}
				return undefined;
			}),
		);
		const response = await run({ message: "hi", session_id: "chat" });
		await response.body?.cancel();
		const all = await allLines(await run({ attach: true, session_id: "chat" }));
		expect(text(all).split(" ")).toHaveLength(51);
		expect(all.at(-1)).toMatchObject({ type: "result", status: "success" });
		expect(turns).toBeDefined();
	});

	it("returns the first turn again for the same idempotency key", async () => {
		let runs = 0;
		const { run } = await openWith(
			scripted(async function* (turn) {
				runs++;
				return yield* say("once")(turn);
			}),
		);
		const body = { message: "hi", session_id: "chat", idempotency_key: "k" };
		const first = await allLines(await run(body));
		const again = await allLines(await run(body));
		expect(again.slice(1)).toEqual(first.slice(1));
		const other = await run({ ...body, message: "other" });
		expect(other.status).toBe(409);
		expect(await other.json()).toMatchObject({ ok: false, errorCode: "CONFLICT" });
		expect(runs).toBe(1);
	});

	it("finds the session of a first message by its key, and says that it was sent before", async () => {
		let runs = 0;
		const { run } = await openWith(
			scripted(async function* (turn) {
				runs++;
				return yield* say("once")(turn);
			}),
		);
		const body = { message: "hi", idempotency_key: "k" };
		const both = await Promise.all([run(body), run(body)]);
		const replayed = both.map(({ headers }) => headers.get("Idempotent-Replayed"));
		expect(replayed.toSorted()).toEqual(["false", "true"]);
		const [first = [], again = []] = await Promise.all(both.map(allLines));
		expect(again.slice(1)).toEqual(first.slice(1));
		expect(runs).toBe(1);
		// Another owner's key, and a chat of that name, are others.
		const others = [await run(body, BOB), await run({ message: "hi", session_id: "k" })];
		const ids = await Promise.all(
			others.map(async (one) => initOf(await allLines(one)).session_id),
		);
		expect(new Set([...ids, initOf(first).session_id]).size).toBe(3);
		expect(others.map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([
			"false",
			null,
		]);
		expect(runs).toBe(3);
	});

	it("finds a chat whose id looks like a session's own", async () => {
		const { run, post } = await openWith(scripted(say("hello ", "there")));
		const session_id = crypto.randomUUID();
		const first = await allLines(await run({ message: "hi", session_id }));
		expect(initOf(first).session_id).not.toBe(session_id);
		const [relay, ...again] = await allLines(await run({ attach: true, session_id }));
		expect(again).toEqual(first.slice(1));
		// Its relay session is one of the session that was found.
		const response = { type: "error_response", requestId: "r", message: "no" };
		const { sessionId, token } = relay as Record<string, unknown>;
		const answer = await post("relay", { type: "relay.respond", sessionId, token, response }, null);
		expect(answer.status).toBe(404);
	});

	it("keeps a silent stream alive with blank lines", async () => {
		const { run, post } = await openWith(scripted(hang), { heartbeatMs: 20 });
		const response = await run({ message: "hi", session_id: "chat" });
		let blanks = 0;
		for await (const chunk of response.body ?? []) {
			if (new TextDecoder().decode(chunk as Uint8Array) === "\n") blanks++;
			if (blanks === 3) await post("abort", { session_id: "chat" });
		}
		expect(blanks).toBeGreaterThanOrEqual(3);
	});

	it("stops a turn by /agent-api/abort, once and again", async () => {
		const { run, post } = await openWith(scripted(hang));
		const all: Line[] = [];
		for await (const line of lines(await run({ message: "hi", session_id: "chat" }))) {
			all.push(line);
			if (line.type === "message") {
				for (let i = 0; i < 2; i++) {
					const answer = await post("abort", { session_id: "chat" });
					expect(await answer.json()).toEqual({ ok: true });
				}
			}
		}
		expect(all.at(-1)).toMatchObject({ type: "result", status: "aborted" });
	});

	it("tells a failed turn by its result, never by an empty success", async () => {
		const { run } = await openWith(
			scripted(async function* () {
				yield { type: "stderr", content: "about to fail" };
				throw new Error("boom");
			}),
		);
		const all = await allLines(await run({ message: "hi" }));
		expect(all.at(-1)).toMatchObject({
			type: "result",
			status: "error",
			error: { message: expect.stringContaining("boom") },
		});
	});
});
