import { describe, expect, it } from "vitest";
import { closeLiveConnections } from "../index";
import { createMemorySessions } from "../memory-sessions";
import { sendRelayResponse } from "../send-relay-response";
import { said, toolResult, user } from "./prompts";
import { ask, done, init, say } from "./steps";
import { callsOf, turn } from "./turns";
import { asking, useTurns } from "./use-turns";

describe("a turn that waits for an answer", () => {
	const { openWith, sessions } = useTurns();

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
						for (const session of sessions()) session.answer("r1", {});
					},
				},
			},
		);
		const first = await turn(model, [user("go")]);
		await turn(model, [user("go"), ...toolResult("r1")], { sessionId: first.id });
		expect(sent).toEqual([`${api.url}/agent-api/relay`]);
	});
});
