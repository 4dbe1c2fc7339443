import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { closeLiveConnections, getLiveConnection } from "../index";
import { createMemorySessions } from "../memory-sessions";
import { collectParts, type FakeAgentApiOptions, type FakeRun } from "../testing";
import { options, said, toolResult, user } from "./prompts";
import { ask, done, init, say } from "./steps";
import { callsOf, openTurns, type TurnFixture, turn } from "./turns";

/** Says something, asks the page, and tells what it got. */
const asking = (id = "r1") =>
	function* (run: FakeRun) {
		yield init(run);
		yield* say("Let me ", "see. ");
		yield ask(id);
		yield* say("All ", "done.");
		yield done;
	};

/* What went wrong upstream, one test each, by the numbers of the list. */
describe.each([{ numbered: true }, { numbered: false }])("lines numbered: $numbered", (kind) => {
	let open: TurnFixture | undefined;
	const openWith = async (fake: FakeAgentApiOptions, ...more: [object?]) => {
		open = await openTurns({ ...kind, ...fake }, ...more);
		return open;
	};
	const runs = () => open?.api.calls.filter(({ path }) => path === "run").map(({ body }) => body);
	afterEach(async () => {
		await closeLiveConnections();
		await open?.close();
	});

	it("1: a pause keeps the reader, and the resume is hot", async () => {
		const { model, api } = await openWith({ script: asking() });
		const first = await turn(model, [user("go")]);
		expect(callsOf(first)).toEqual(["r1"]);
		expect(getLiveConnection(first.id)).toBeDefined();
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		const second = await turn(model, prompt, { sessionId: first.id });
		expect(second.text).toBe("All done.");
		expect(second.finish.providerMetadata?.giselle?.resume).toBe("hot");
		expect(runs()).toHaveLength(1);
		expect(api.answers).toHaveLength(1);
	});

	it("2: a cold resume does not prompt again, and loses nothing", async () => {
		const { model, another, api } = await openWith({ script: asking() });
		const first = await turn(model, [user("go")]);
		await closeLiveConnections();
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		const second = await turn(another(), prompt, { sessionId: first.id });
		expect(second.finish.providerMetadata?.giselle?.resume).toBe("cold");
		expect(runs()?.filter((body) => "message" in body)).toHaveLength(1);
		expect(runs()?.[1]).toMatchObject({ session_id: expect.any(String) });
		expect(api.answers).toMatchObject([{ type: "snapshot_response", requestId: "r1" }]);
		// Only a server that can be attached to gives back what was said in between.
		if (kind.numbered) expect(first.text + second.text).toBe("Let me see. All done.");
	});

	it("3: a second user turn after a tool call works, and the agent remembers", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				if (run.message === "go") yield ask("r1");
				yield* say(`${run.body.session_id === run.sessionId}`);
				yield done;
			},
		});
		const first = await turn(model, [user("go")]);
		const prompt = [user("go"), ...toolResult("r1")];
		await turn(model, prompt, { sessionId: first.id });
		const next = [...prompt, said("false"), user("and now?")];
		expect((await turn(model, next, { sessionId: first.id })).text).toBe("true");
	});

	it("4: what was read ahead of a pause comes after the resume", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				// All in one write: the request and what follows it are one read.
				const request = { type: "snapshot_request", requestId: "r1", instruction: "x" };
				const delta = { type: "message", role: "assistant", content: "ahead ", delta: true };
				yield { ...request, parallel: true };
				yield delta;
				yield { wait: new Promise((resolve) => setTimeout(resolve, 60)) };
				yield* say("and after");
				yield done;
			},
		});
		const first = await turn(model, [user("go")]);
		expect(first.text).toBe("");
		const prompt = [user("go"), ...toolResult("r1")];
		const second = await turn(model, prompt, { sessionId: first.id });
		expect(second.text).toBe("ahead and after");
	});

	it("5: a request that arrives during a store write is not lost", async () => {
		const store = createMemorySessions();
		const update = store.update.bind(store);
		store.update = async (...args) => {
			await new Promise((resolve) => setTimeout(resolve, 30));
			return update(...args);
		};
		const { model } = await openWith({ script: asking() }, { sessions: store });
		const first = await turn(model, [user("go")]);
		expect(callsOf(first)).toEqual(["r1"]);
		const record = await store.get(`giselle:provider:session:${first.id}`);
		expect(record).toMatchObject({ pendingRequestId: "r1", relayToken: expect.any(String) });
	});

	it("6: there is one finish, also for several requests at once", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield ask("r1", { parallel: true });
				yield { type: "execute_request", requestId: "r2", actions: [], fields: [] };
				yield* say("done");
				yield done;
			},
		});
		const first = await turn(model, [user("go")]);
		expect(first.types.filter((type) => type === "finish")).toHaveLength(1);
		expect(callsOf(first)).toEqual(["r1", "r2"]);
		const report = { report: { applied: 0, skipped: 0, warnings: [] } };
		const prompt = [
			user("go"),
			...toolResult("r1"),
			...toolResult("r2", { type: "json", value: report }, "executeFormActions"),
		];
		const second = await turn(model, prompt, { sessionId: first.id });
		expect(second.text).toBe("done");
		expect(open?.api.answers).toHaveLength(2);
	});

	it.each([
		["error", { type: "error", severity: "error", message: "no quota" }],
		["result: error", { type: "result", status: "error", error: { message: "no quota" } }],
		["a non-zero exit", { type: "exit", code: 1 }],
		["stderr alone", { type: "stderr", content: "boom" }],
	])("7: %s does not look like an empty success", async (title, event) => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield event;
				if (kind.numbered && event.type !== "result") {
					yield { type: "result", status: "error", error: { message: "no quota" } };
				}
			},
		});
		const { errors, finish } = await turn(model, [user("go")]);
		expect(finish.finishReason.unified).toBe("error");
		expect(errors.length).toBeGreaterThan(0);
		await expect(model.doGenerate({ prompt: [user("go")] }), title).rejects.toThrow();
	});

	it("8: a stray brace or quote costs its own line alone", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				for (const raw of ['{"stray\n', "}\n", '"\n', "{\n", "[1]\n", "\n"]) {
					yield { raw };
					yield* say("x");
				}
				yield done;
			},
		});
		expect((await turn(model, [user("go")])).text).toBe("xxxxxx");
	});

	it("9: a new message while a request is pending ends it and goes on", async () => {
		const { model, api } = await openWith({
			script: function* (run) {
				yield init(run);
				if (run.message === "go") yield ask("r1");
				yield* say(run.message);
				yield done;
			},
		});
		const first = await turn(model, [user("go")], { chatId: "c" });
		const second = await turn(model, [user("go"), said(first.text), user("never mind")], {
			chatId: "c",
		});
		expect(second.text).toBe("never mind");
		expect(api.answers).toMatchObject([{ type: "error_response", requestId: "r1" }]);
		expect(getLiveConnection(first.id)).toBeUndefined();
	});

	it("9: a session that expired says so and how to go on, and a new message recovers", async () => {
		let now = 0;
		const { model } = await openWith(
			{ script: asking() },
			{ sessions: createMemorySessions(() => now) },
		);
		const first = await turn(model, [user("go")]);
		now += 25 * 60 * 60_000;
		const prompt = [user("go"), ...toolResult("r1")];
		await expect(turn(model, prompt, { sessionId: first.id })).rejects.toMatchObject({
			code: "session_expired",
			message: expect.stringContaining("Send a new message"),
		});
		const again = await turn(model, [...prompt, user("go on")], { sessionId: first.id });
		expect(callsOf(again)).toEqual(["r1"]);
	});

	it.each([
		["an error", { type: "error-text", value: "no such form" }, "no such form"],
		["an error as JSON", { type: "error-json", value: { message: "bad" } }, "bad"],
		["a refusal", { type: "execution-denied", reason: "not today" }, "not today"],
	] as const)("10: %s of the page becomes error_response", async (_title, output, message) => {
		const { model, api } = await openWith({ script: asking() });
		const first = await turn(model, [user("go")]);
		const prompt = [user("go"), ...toolResult("r1", output)];
		const second = await turn(model, prompt, { sessionId: first.id });
		expect(api.answers).toMatchObject([{ type: "error_response", requestId: "r1", message }]);
		expect(second.text).toBe("All done.");
	});

	it("11: of two resumes one answers, and the other follows or is told", async () => {
		const { model, another, api } = await openWith({ script: asking() });
		const first = await turn(model, [user("go")]);
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		const both = await Promise.allSettled([
			turn(model, prompt, { sessionId: first.id }),
			turn(another(), prompt, { sessionId: first.id }),
		]);
		expect(api.answers).toHaveLength(1);
		const texts = both.map((each) => (each.status === "fulfilled" ? each.value.text : each.reason));
		if (kind.numbered) expect(texts).toEqual(["All done.", "All done."]);
		else {
			expect(texts).toContain("All done.");
			expect(texts).toContainEqual(expect.objectContaining({ code: "resume_conflict" }));
		}
	});

	it.each(["new", "hot", "cold"])("12: an abort on a %s leg ends the turn", async (leg) => {
		const endless = async function* (run: FakeRun) {
			yield init(run);
			if (leg !== "new") yield ask("r1");
			for (let n = 0; ; n++) {
				yield* say(`${n} `);
				yield { wait: 5 };
			}
		};
		const { model, api } = await openWith({ script: endless });
		let prompt = [user("go")];
		let sessionId: string | undefined;
		if (leg !== "new") {
			sessionId = (await turn(model, prompt)).id;
			prompt = [user("go"), ...toolResult("r1")];
			if (leg === "cold") await closeLiveConnections();
		}
		const abort = new AbortController();
		const { stream } = await model.doStream({
			prompt,
			abortSignal: abort.signal,
			providerOptions: options({ ...(sessionId && { sessionId }) }),
		});
		const reading = collectParts(
			stream.pipeThrough(
				new TransformStream({
					transform(part, controller) {
						controller.enqueue(part);
						if (part.type === "text-delta") abort.abort(new Error("enough"));
					},
				}),
			),
		);
		await expect(reading).rejects.toThrow("enough");
		const [session] = api.sessions.values();
		if (kind.numbered) {
			await waitFor(() => !session?.isRunning());
			expect(session?.log.at(-1)).toMatchObject({ type: "result", status: "aborted" });
		}
		await waitFor(() => api.connections === 0);
	});

	it("13: no key and no token in what a client or a log gets", async () => {
		const log = vi.spyOn(console, "warn");
		const { model, api, warnings } = await openWith(
			{ script: asking() },
			{ headers: { authorization: "Bearer my-secret-key" } },
		);
		const first = await turn(model, [user("go")]);
		const prompt = [user("go"), ...toolResult("r1")];
		const second = await turn(model, prompt, { sessionId: first.id });
		await api.close();
		const failure = await turn(model, [user("again")]).catch((error: unknown) => error);
		const shown = [first, second, warnings, log.mock.calls].map((each) => JSON.stringify(each));
		shown.push(String(failure), JSON.stringify(failure), JSON.stringify(warnings));
		const token = api.calls.find(({ path, body }) => path === "relay" && body.token)?.body.token;
		expect(token).toEqual(expect.any(String));
		for (const text of shown) {
			expect(text).not.toContain("my-secret-key");
			expect(text).not.toContain(String(token));
		}
	});

	it("14: doGenerate works, with the model and the tokens that the agent told", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield* say("Hello ", "world");
				yield done;
			},
		});
		expect(await model.doGenerate({ prompt: [user("go")] })).toMatchObject({
			content: [{ type: "text", text: "Hello world" }],
			finishReason: { unified: "stop", raw: "success" },
			usage: {
				inputTokens: { total: 7, noCache: 5, cacheRead: 2 },
				outputTokens: { total: 3 },
			},
			response: { id: expect.any(String), modelId: "fake-1" },
			warnings: [],
		});
	});
});
