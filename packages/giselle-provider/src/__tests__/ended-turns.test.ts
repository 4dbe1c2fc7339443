import { waitFor } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { collectParts } from "../testing";
import { options, user } from "./prompts";
import { done, init, say } from "./steps";
import { turn } from "./turns";
import { asking, useTurns } from "./use-turns";

describe("a turn that is cancelled, or refused", () => {
	const { openWith, runs } = useTurns();

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
