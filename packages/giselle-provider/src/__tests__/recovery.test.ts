import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { closeLiveConnections, type GiselleProviderOptions } from "../index";
import { createMemorySessions } from "../memory-sessions";
import { sendRelayResponse } from "../send-relay-response";
import { collectParts, type FakeAgentApiOptions, type FakeRun, type FakeStep } from "../testing";
import { options, said, toolResult, user } from "./prompts";
import { ask, done, init, say } from "./steps";
import { callsOf, openTurns, type TurnFixture, turn } from "./turns";

const asking = function* (run: FakeRun): Generator<FakeStep> {
	yield init(run);
	yield* say("Let me see. ");
	yield ask("r1");
	yield* say("All done.");
	yield done;
};

describe("a turn that is interrupted", () => {
	let open: TurnFixture | undefined;
	const openWith = async (
		fake: FakeAgentApiOptions,
		more: Partial<GiselleProviderOptions> = {},
	) => {
		open = await openTurns(fake, more);
		return open;
	};
	const runs = () =>
		(open?.api.calls ?? []).filter(({ path }) => path === "run").map(({ body }) => body);
	afterEach(async () => {
		await closeLiveConnections();
		await open?.close();
	});

	it("is attached to again when its stream breaks, and nobody notices", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				for (let n = 0; n < 5; n++) {
					yield* say(`${n} `);
					yield { wait: 10 };
					yield { cut: true };
					yield { wait: 10 };
				}
				yield* say("end");
				yield done;
			},
		});
		const { text, finish } = await turn(model, [user("go")]);
		expect(text).toBe("0 1 2 3 4 end");
		expect(finish.finishReason.unified).toBe("stop");
		expect(runs().filter((body) => "message" in body)).toHaveLength(1);
	});

	it("is an error when the stream broke and cannot be attached to", async () => {
		const { model } = await openWith(
			{
				script: function* (run) {
					yield init(run);
					yield* say("half");
					yield { wait: 20 };
					yield { cut: true };
				},
				refuse: (path, body) => (path === "run" && body.attach ? 404 : undefined),
			},
			{},
		);
		const { errors, finish, text } = await turn(model, [user("go")]);
		expect(text).toBe("half");
		expect(errors).toMatchObject([{ code: "truncated", retryable: true }]);
		expect(finish.finishReason.unified).toBe("error");
	});

	it("is an error when a numbered stream ends without its result", async () => {
		const { model } = await openWith(
			{ script: (run) => [init(run), ...say("half")] },
			{ reconnectMs: 0 },
		);
		expect((await turn(model, [user("go")])).errors).toMatchObject([{ code: "truncated" }]);
	});

	it("is an error when a plain stream ends inside a line, and none when it simply ends", async () => {
		const cut = await openWith({
			numbered: false,
			script: (run) => [init(run), ...say("whole"), { raw: '{"type":"mess' }],
		});
		expect((await turn(cut.model, [user("go")])).errors).toMatchObject([{ code: "truncated" }]);
		await cut.close();
		const plain = await openWith({
			numbered: false,
			script: (run) => [init(run), ...say("whole")],
		});
		const { finish, errors } = await turn(plain.model, [user("go")]);
		expect(errors).toEqual([]);
		expect(finish.finishReason.unified).toBe("stop");
	});

	it.each([true, false])(
		"does not wait for ever on a silent stream, numbered: %s",
		async (numbered) => {
			const { model } = await openWith(
				{ numbered, script: (run) => [init(run), ...say("hm"), { wait: 5_000 }] },
				{ silenceMs: 40, reconnectMs: numbered ? 200 : 0 },
			);
			const { errors, text } = await turn(model, [user("go")]);
			expect(text).toBe("hm");
			expect(errors).toMatchObject([{ code: "truncated" }]);
		},
	);

	it("is replayed from its start by attach, with the same ids, then followed", async () => {
		let go = () => {};
		const going = new Promise<void>((resolve) => {
			go = resolve;
		});
		const sessions = createMemorySessions();
		const script = function* (run: FakeRun): Generator<FakeStep> {
			yield init(run);
			yield* say("before ");
			yield { wait: going };
			yield* say("after");
			yield done;
		};
		const { model, another } = await openWith({ script }, { sessions });
		const live = turn(model, [user("go")], { chatId: "c" });
		await waitFor(() => [...(open?.api.sessions.values() ?? [])][0]?.log.length === 2);
		// The chat knows of the turn as soon as its first lines were read.
		await waitFor(async () => (await sessions.get("giselle:provider:chat:c"))?.geminiSessionId);
		const replay = turn(another(), [user("go")], { chatId: "c", attach: true });
		await waitFor(() => runs().length === 2);
		go();
		const [first, second] = [await live, await replay];
		expect(second.text).toBe("before after");
		const ids = ({ parts }: typeof first) =>
			parts.flatMap((part) => (part.type === "text-delta" ? [part.id] : []));
		expect(ids(second)).toEqual(ids(first));
		expect(second.finish.providerMetadata?.giselle?.resume).toBe("attach");
		expect(runs().at(-1)).not.toHaveProperty("message");
	});

	it("is replayed with its tool calls: answered ones as done, a pending one to be run", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield* asking(run);
				yield* say("never");
			},
		});
		const first = await turn(model, [user("go")], { chatId: "c" });
		const paused = await turn(model, [user("go")], { chatId: "c", attach: true });
		expect(callsOf(paused)).toEqual(["r1"]);
		expect(paused.text).toBe(first.text);
		await turn(model, [user("go"), said(first.text), ...toolResult("r1")], { chatId: "c" });
		const over = await turn(model, [user("go")], { chatId: "c", attach: true });
		expect(over.text).toBe("Let me see. All done.");
		expect(callsOf(over)).toEqual([]);
		expect(over.parts).toContainEqual(
			expect.objectContaining({ type: "tool-result", toolCallId: "r1", result: { fields: [] } }),
		);
	});

	it("has nothing to attach to before it began", async () => {
		const { model } = await openWith({ script: asking });
		const call = turn(model, [user("go")], { chatId: "new", attach: true });
		await expect(call).rejects.toMatchObject({ code: "nothing_to_attach" });
	});

	it("says again what was withdrawn, and shows it once", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield* say("one ", "two ");
				yield { type: "recovered", policy: "retry", attempt: 2 };
				yield { type: "retract", up_to: 3 };
				yield init(run);
				yield* say("one", " two thr", "ee");
				yield done;
			},
		});
		expect((await turn(model, [user("go")])).text).toBe("one two three");
	});

	it("says something else than what was withdrawn, in a block that says so", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield* say("one ", "two ");
				yield { type: "retract", up_to: 3 };
				yield* say("one ", "three");
				yield done;
			},
		});
		const { parts } = await turn(model, [user("go")]);
		const starts = parts.flatMap((part) => (part.type === "text-start" ? [part] : []));
		expect(starts).toHaveLength(2);
		expect(starts[1]).toMatchObject({ providerMetadata: { giselle: { retracted: true } } });
		const last = parts.filter((part) => part.type === "text-delta" && part.id === starts[1]?.id);
		expect(last).toMatchObject([{ delta: "one three" }]);
	});

	it("leaves out what an earlier leg said already, when a recovered agent says it again", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield* say("Let me see. ");
				yield ask("r1");
				yield { type: "retract", up_to: 3 };
				yield* say("Let me see. ", "All done.");
				yield done;
			},
		});
		const first = await turn(model, [user("go")]);
		await closeLiveConnections();
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		expect((await turn(model, prompt, { sessionId: first.id })).text).toBe("All done.");
	});

	it("keeps leaving it out when the repetition is interrupted by a pause", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield* say("Let me see. ");
				yield ask("r1");
				yield* say("I ");
				yield { type: "retract", up_to: 5 };
				yield* say("Let me see. ");
				yield ask("r2");
				yield* say("I ", "did it.");
				yield done;
			},
		});
		const first = await turn(model, [user("go")], { chatId: "c" });
		const one = [user("go"), said(first.text), ...toolResult("r1")];
		const second = await turn(model, one, { chatId: "c" });
		expect(callsOf(second)).toEqual(["r2"]);
		await closeLiveConnections();
		const third = await turn(model, [...one, said(second.text), ...toolResult("r2")], {
			chatId: "c",
		});
		expect(first.text + second.text + third.text).toBe("Let me see. I did it.");
	});

	it("goes on from the conversation when its log was trimmed", async () => {
		const messages = [
			{ role: "user", content: "go" },
			{ role: "assistant", content: "Let me see. All done." },
		];
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				yield* say("Let me see. ");
				yield ask("r1");
				yield { type: "reset", reason: "trimmed", first: 9, messages };
				yield done;
			},
		});
		const first = await turn(model, [user("go")]);
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		expect((await turn(model, prompt, { sessionId: first.id })).text).toBe("All done.");
	});

	it.each(["hot", "cold"])(
		"gets its answer with fresh credentials when a %s resume finds stale ones",
		async (kind) => {
			const store = createMemorySessions();
			const { model, api } = await openWith({ script: asking }, { sessions: store });
			const first = await turn(model, [user("go")]);
			if (kind === "cold") await closeLiveConnections();
			const key = `giselle:provider:session:${first.id}`;
			await store.update(key, (value) => ({ ...value, relayToken: "old" }), 600_000);
			const prompt = [user("go"), ...toolResult("r1")];
			const second = await turn(model, prompt, { sessionId: first.id });
			expect(second.text).toBe("All done.");
			expect(api.answers).toHaveLength(1);
			expect(second.finish.providerMetadata?.giselle?.resume).toBe("cold");
		},
	);

	it("gets its answer, also when the server asks again before it has refused stale credentials", async () => {
		const store = createMemorySessions();
		const { model, api } = await openWith(
			{ script: asking },
			{
				sessions: store,
				deps: {
					async sendRelayResponse(answer) {
						if (answer.token === "old") await new Promise((resolve) => setTimeout(resolve, 60));
						await sendRelayResponse(fetch, answer);
					},
				},
			},
		);
		const first = await turn(model, [user("go")]);
		await closeLiveConnections();
		const key = `giselle:provider:session:${first.id}`;
		await store.update(key, (value) => ({ ...value, relayToken: "old" }), 600_000);
		const prompt = [user("go"), ...toolResult("r1")];
		expect((await turn(model, prompt, { sessionId: first.id })).text).toBe("All done.");
		expect(api.answers).toHaveLength(1);
	});

	it("shows a line once, however often a server sends it", async () => {
		const line = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
		const delta = (seq: number) => {
			const said = { role: "assistant", content: `${seq} `, delta: true };
			return line({ seq, run_id: "u", type: "message", ...said });
		};
		const start = [
			line({ seq: 1, run_id: "u", type: "init", session_id: "s" }),
			delta(2),
			delta(3),
		];
		const end = line({ seq: 5, run_id: "u", type: "result", status: "success" });
		const answers = [start, [...start, delta(4), end]];
		const { model } = await openWith(
			{ script: asking },
			{
				deps: {
					async connectCloudApi() {
						const chunks = answers.shift() ?? [];
						const stream = new ReadableStream<Uint8Array>({
							start(controller) {
								for (const chunk of chunks) controller.enqueue(chunk);
								controller.close();
							},
						});
						return { reader: stream.getReader(), response: new Response() };
					},
				},
			},
		);
		expect((await turn(model, [user("go")])).text).toBe("2 3 4 ");
	});

	it("waits with its next request, when that came before the relay's word on the last one", async () => {
		const store = createMemorySessions();
		const { model } = await openWith(
			{
				script: function* (run) {
					yield init(run);
					yield ask("r1");
					yield ask("r2");
					yield* say("done");
					yield done;
				},
			},
			{
				sessions: store,
				deps: {
					async sendRelayResponse(answer) {
						await sendRelayResponse(fetch, answer);
						await new Promise((resolve) => setTimeout(resolve, 60));
					},
				},
			},
		);
		const first = await turn(model, [user("go")]);
		const prompt = [user("go"), ...toolResult("r1")];
		const second = await turn(model, prompt, { sessionId: first.id });
		expect(callsOf(second)).toEqual(["r2"]);
		await new Promise((resolve) => setTimeout(resolve, 80));
		const record = await store.get(`giselle:provider:session:${first.id}`);
		expect(record).toMatchObject({ pendingRequestIds: ["r2"] });
		const third = await turn(model, [...prompt, ...toolResult("r2")], { sessionId: first.id });
		expect(third.finish.providerMetadata?.giselle?.resume).toBe("hot");
		expect(third.text).toBe("done");
	});

	it.each([true, false])(
		"can be resumed again when the relay was out of reach, numbered: %s",
		async (numbered) => {
			let isDown = true;
			const { model, api } = await openWith(
				{ script: asking, numbered },
				{
					deps: {
						async sendRelayResponse(answer) {
							if (isDown) throw new TypeError("fetch failed");
							await sendRelayResponse(fetch, answer);
						},
					},
				},
			);
			const first = await turn(model, [user("go")]);
			const prompt = [user("go"), said(first.text), ...toolResult("r1")];
			const failed = turn(model, prompt, { sessionId: first.id });
			if (numbered) {
				expect((await failed).errors).toMatchObject([{ code: "relay_refused", retryable: true }]);
			} else await expect(failed).rejects.toThrow("fetch failed");
			isDown = false;
			const again = await turn(model, prompt, { sessionId: first.id });
			expect(again.text).toBe("All done.");
			expect(api.answers).toHaveLength(1);
		},
	);

	it("is found by the chat alone, also when the run's own record has expired", async () => {
		let now = 0;
		const sessions = createMemorySessions(() => now);
		const { model } = await openWith({ script: asking }, { sessions });
		const first = await turn(model, [user("go")], { chatId: "c" });
		await closeLiveConnections();
		now += 700_000;
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		expect((await turn(model, prompt, { chatId: "c" })).text).toBe("All done.");
		// A caller who missed the end asks again, and gets it again.
		expect((await turn(model, prompt, { chatId: "c" })).text).toBe("All done.");
	});

	it("is not found by another chat", async () => {
		const { model } = await openWith({ script: asking });
		const first = await turn(model, [user("go")], { chatId: "mine" });
		const prompt = [user("go"), ...toolResult("r1")];
		const call = turn(model, prompt, { chatId: "other", sessionId: first.id });
		await expect(call).rejects.toMatchObject({ code: "session_expired" });
	});

	it("goes on when its answer got through and its caller died", async () => {
		const store = createMemorySessions();
		const { model, api } = await openWith({ script: asking }, { sessions: store });
		const first = await turn(model, [user("go")]);
		const key = `giselle:provider:session:${first.id}`;
		const before = await store.get(key);
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		await turn(model, prompt, { sessionId: first.id });
		for (const claim of [undefined, { by: "dead", at: Date.now() }]) {
			await store.set(key, { ...before, claim }, 600_000);
			const again = await turn(model, prompt, { sessionId: first.id });
			expect(again.text).toBe("All done.");
		}
		expect(api.answers).toHaveLength(1);
	});

	it("is ended at the server when its stream is cancelled", async () => {
		const { model, api } = await openWith({
			script: async function* (run) {
				yield init(run);
				for (;;) {
					yield* say("x");
					yield { wait: 5 };
				}
			},
		});
		const { stream } = await model.doStream({ prompt: [user("go")] });
		const reader = stream.getReader();
		for (let n = 0; n < 4; n++) await reader.read();
		await reader.cancel();
		const [session] = api.sessions.values();
		await waitFor(() => !session?.isRunning());
		expect(session?.log.at(-1)).toMatchObject({ status: "aborted" });
		await waitFor(() => api.connections === 0);
	});

	it.each(["while it connects", "before the server told its id"])(
		"is ended at the server when it is aborted %s",
		async (when) => {
			const abort = new AbortController();
			const { model, api } = await openWith({
				script: async function* (run) {
					yield { type: "input_admitted", content: "go" };
					if (when === "while it connects") abort.abort();
					yield { wait: 30 };
					yield init(run);
					yield { wait: 100_000 };
				},
			});
			const call = model.doStream({ prompt: [user("go")], abortSignal: abort.signal });
			if (when === "while it connects") await call.catch(() => {});
			else {
				const { stream } = await call;
				setTimeout(() => abort.abort(), 5);
				await collectParts(stream).catch(() => {});
			}
			await waitFor(() => api.calls.some(({ path }) => path === "abort"));
			await waitFor(() => api.connections === 0);
		},
	);

	it("takes requests that come beside the stream, from servers that tell them there alone", async () => {
		const requests = [{ type: "snapshot_request", requestId: "r9", instruction: "x" }];
		let isClosed = false;
		const { model } = await openWith(
			{
				numbered: false,
				script: function* (run) {
					yield init(run);
					yield* say("hm");
					yield { wait: 200 };
					yield* say("!");
				},
			},
			{
				deps: {
					createRelaySubscription: () => ({
						nextRequest: async () => requests.pop() ?? (await new Promise<never>(() => {})),
						close: () => {
							isClosed = true;
						},
					}),
					sendRelayResponse: async () => {},
				},
			},
		);
		const first = await turn(model, [user("go")]);
		expect(callsOf(first)).toEqual(["r9"]);
		const prompt = [user("go"), ...toolResult("r9")];
		expect((await turn(model, prompt, { sessionId: first.id })).text).toBe("!");
		expect(isClosed).toBe(true);
	});

	it("answers beside the run route when the server does not say where its relay is", async () => {
		const sent: string[] = [];
		const { model, api } = await openWith(
			{
				numbered: false,
				script: function* (run) {
					yield init(run);
					yield { type: "relay.session", sessionId: "r", token: "t" };
					yield ask("r1");
				},
			},
			{
				deps: {
					async sendRelayResponse({ relayUrl }) {
						sent.push(relayUrl);
						for (const session of open?.api.sessions.values() ?? []) session.answer("r1", {});
					},
				},
			},
		);
		const first = await turn(model, [user("go")]);
		await turn(model, [user("go"), ...toolResult("r1")], { sessionId: first.id });
		expect(sent).toEqual([`${api.url}/agent-api/relay`]);
	});

	it("is not begun twice with one idempotency key", async () => {
		const { model } = await openWith({ script: (run) => [init(run), done] });
		await turn(model, [user("go")], { idempotencyKey: "k1" });
		expect(runs()[0]).toMatchObject({ idempotency_key: "k1" });
	});

	it("refuses ids that are no ids, and prompts without words", async () => {
		const { model } = await openWith({ script: asking });
		const provider = options({ chatId: "" });
		const call = model.doStream({ prompt: [user("go")], providerOptions: provider });
		await expect(call).rejects.toMatchObject({ code: "invalid_call" });
		await expect(turn(model, [user("")])).rejects.toMatchObject({ code: "invalid_call" });
	});

	it("says what it cannot do as warnings", async () => {
		const { model } = await openWith({ script: (run) => [init(run), done] });
		const { stream } = await model.doStream({
			prompt: [{ role: "system", content: "be brief" }, user("go")],
			temperature: 0.5,
			tools: [{ type: "function", name: "other", inputSchema: {} }],
		});
		const [start] = await collectParts(stream);
		expect(start).toMatchObject({
			type: "stream-start",
			warnings: [
				{ type: "unsupported", feature: "temperature" },
				{ type: "unsupported", feature: "tool other" },
				{ type: "other" },
			],
		});
	});
});
