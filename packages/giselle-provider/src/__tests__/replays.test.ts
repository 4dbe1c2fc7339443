import { waitFor } from "@baton/testkit";
import { describe, expect, it } from "vitest";
import { createMemorySessions } from "../memory-sessions";
import type { FakeRun, FakeStep } from "../testing";
import { said, toolResult, user } from "./prompts";
import { done, init, say } from "./steps";
import { callsOf, turn } from "./turns";
import { asking, useTurns } from "./use-turns";

describe("a turn that is replayed", () => {
	const { openWith, runs, sessions: held } = useTurns();

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
		await waitFor(() => held()[0]?.log.length === 2);
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
});
