import { afterEach, describe, expect, it } from "vitest";
import { closeLiveConnections } from "../index";
import { said, toolResult, user } from "./prompts";
import { ask, done, init, say } from "./steps";
import { callsOf, openTurns, type TurnFixture, turn } from "./turns";

describe("a call that says more than its chat", () => {
	let open: TurnFixture | undefined;
	const openWith = async (...args: Parameters<typeof openTurns>) => {
		open = await openTurns(...args);
		return open;
	};
	afterEach(async () => {
		await closeLiveConnections();
		await open?.close();
	});
	const script = (run: Parameters<typeof init>[0]) => [
		init(run),
		...say("Looking. "),
		ask("r1"),
		...say("Done."),
		done,
	];
	const bodies = (path: string) =>
		(open?.api.calls ?? []).filter((call) => call.path === path).map(({ body }) => body);

	it.each([true, false])(
		"answers with the claim of its page, and says how it goes on, hot: %s",
		async (isHot) => {
			const { model } = await openWith({ script });
			const first = await turn(model, [user("go")], { chatId: "c" });
			if (!isHot) await closeLiveConnections();
			const prompt = [user("go"), said(first.text), ...toolResult("r1")];
			const second = await turn(model, prompt, { chatId: "c", claimId: "tab-1" });
			expect(second.text).toBe("Done.");
			const resume = isHot ? "hot" : "cold";
			expect(bodies("relay")).toMatchObject([{ type: "relay.respond", claimId: "tab-1", resume }]);
		},
	);

	it("brings an earlier step's result again, and leaves the request that waits now alone", async () => {
		const { model, api } = await openWith({
			script: (run) => [
				init(run),
				ask("r1"),
				...say("Now this. "),
				ask("r2"),
				...say("Done."),
				done,
			],
		});
		const call = { chatId: "c" };
		await turn(model, [user("go")], call);
		const first = [user("go"), ...toolResult("r1")];
		await turn(model, first, call);

		const again = await turn(model, first, call);

		expect(again.finish.finishReason.unified).toBe("tool-calls");
		expect(callsOf(again)).toEqual(["r2"]);
		expect(api.answers.map(({ requestId }) => requestId)).toEqual(["r1"]);
		const last = await turn(model, [...first, said("Now this. "), ...toolResult("r2")], call);
		expect(last.text).toBe("Done.");
		expect(api.answers).toMatchObject([{ requestId: "r1" }, { type: "snapshot_response" }]);
	});

	it("claims nothing for a page that did not", async () => {
		const { model } = await openWith({ script });
		const first = await turn(model, [user("go")], { chatId: "c" });
		await turn(model, [user("go"), said(first.text), ...toolResult("r1")], { chatId: "c" });
		expect(bodies("relay")[0]).not.toHaveProperty("claimId");
	});

	it("names its conversation to the server until the server has told an id", async () => {
		const { model, api } = await openWith({ script: (run) => [init(run), ...say("Hi."), done] });
		const call = { chatId: "ada/c", agentSessionId: "c" };
		await turn(model, [user("one")], call);
		await turn(model, [user("two")], call);
		const [first, second] = bodies("run");
		expect(first?.session_id).toBe("c");
		expect(second?.session_id).toBe([...api.sessions.keys()][0]);
	});

	it("goes through the fetch that it is given, and no other", async () => {
		const asked: string[] = [];
		const { model } = await openWith(
			{ script },
			{
				fetch: (input, init) => {
					asked.push(new URL(String(input)).pathname);
					return fetch(input, init);
				},
			},
		);
		const first = await turn(model, [user("go")], { chatId: "c" });
		await turn(model, [user("go"), said(first.text), ...toolResult("r1")], { chatId: "c" });
		expect(asked).toEqual(["/agent-api/run", "/agent-api/relay"]);
		expect(asked).toHaveLength(open!.api.calls.length);
	});
});
