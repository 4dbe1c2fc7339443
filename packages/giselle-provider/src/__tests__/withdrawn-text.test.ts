import { describe, expect, it } from "vitest";
import { closeLiveConnections } from "../index";
import { said, toolResult, user } from "./prompts";
import { ask, done, init, say } from "./steps";
import { callsOf, turn } from "./turns";
import { useTurns } from "./use-turns";

describe("a turn whose agent says again what it said", () => {
	const { openWith } = useTurns();

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
});
