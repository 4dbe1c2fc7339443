import { describe, expect, it } from "vitest";
import { AgentFailure } from "../../src/agent";
import { createDemoAgent, demoPieces } from "../../src/demo";
import { type Answer, runTurn, turnStub } from "../turn-stub";

const agent = createDemoAgent({ now: () => new Date("2026-11-15T00:00:00Z") });

const FIELDS = [
	{ fieldId: "f1", selector: "#n", kind: "text", label: "Name", required: true, currentValue: "" },
	{
		fieldId: "f2",
		selector: "#e",
		kind: "text",
		label: "E-mail",
		required: true,
		currentValue: "",
	},
	{
		fieldId: "f3",
		selector: "#m",
		kind: "select",
		label: "Start",
		required: false,
		currentValue: "",
		options: ["February", "March"],
	},
	{
		fieldId: "f4",
		selector: "#p",
		kind: "text",
		label: "Password",
		required: true,
		currentValue: "",
		filled: false,
	},
	{
		fieldId: "f5",
		selector: "#s",
		kind: "button",
		label: "Send",
		required: false,
		currentValue: "",
		submits: true,
	},
];
const ADA = "I am Ada Lovelace, ada@example.org, start in March. Please submit.";

/** A page that shows the form, and answers the filling and the sending with these. */
const page = (filled: Answer, sent: Answer) => (_request: unknown, index: number) =>
	index === 0
		? ({ type: "snapshot_response", fields: FIELDS } as const)
		: index === 1
			? filled
			: sent;

const report = (applied: number) =>
	({ type: "execute_response", report: { applied, skipped: 0, warnings: [] } }) as const;

describe("the demo agent on a form", () => {
	it("looks, acts, and says what it did and what it left alone", async () => {
		const turn = turnStub(ADA, { answer: page(report(3), report(1)) });

		const { text, error } = await runTurn(agent, turn);

		expect(error).toBeUndefined();
		expect(turn.requests).toEqual([
			{ type: "snapshot_request", instruction: ADA, document: undefined },
			{
				type: "execute_request",
				fields: FIELDS,
				actions: [
					{ action: "fill", fieldId: "f1", value: "Ada Lovelace" },
					{ action: "fill", fieldId: "f2", value: "ada@example.org" },
					{ action: "select", fieldId: "f3", value: "March" },
				],
			},
			{
				type: "execute_request",
				fields: FIELDS,
				actions: [{ action: "click", fieldId: "f5" }],
			},
		]);
		expect(text).toContain("I did 4 of 4 steps:");
		expect(text).toContain("“Name” is now “Ada Lovelace”");
		expect(text).toContain("“Start”: chose “March”");
		expect(text).toContain("pressed “Send”");
		expect(text).toContain("“Password”: it is a secret");
	});

	it("says which steps the page did not do, and why", async () => {
		const results = [
			{ fieldId: "f1", action: "fill", status: "applied" },
			{ fieldId: "f2", action: "fill", status: "failed", code: "stale", message: "it went away" },
			{ fieldId: "f3", action: "select", status: "applied" },
		];
		const partly = { applied: 2, skipped: 1, warnings: ["the form is old"], results };
		const denied = [{ fieldId: "f5", action: "click", status: "skipped", code: "denied" }];
		const unsent = { applied: 0, skipped: 1, warnings: [], results: denied };
		const answer = page(
			{ type: "execute_response", report: partly },
			{ type: "execute_response", report: unsent },
		);
		const turn = turnStub(ADA, { answer });

		const { text } = await runTurn(agent, turn);

		expect(text).toContain("I did 2 of 4 steps:");
		expect(text).toContain("not “E-mail”: it went away");
		expect(text).toContain("not “Send”: denied");
		expect(text).toContain("the page says: the form is old");
	});

	it.each<[string, Answer]>([
		["the look", { type: "error_response", message: "The person said no." }],
		["the actions", { type: "error_response", message: "The person said no." }],
	])("says so when the page refuses %s", async (what, refusal) => {
		const answer = what === "the look" ? () => refusal : page(refusal, refusal);
		const { text, error } = await runTurn(agent, turnStub(ADA, { answer }));
		expect(error).toBeUndefined();
		expect(text).toContain("The page did not do it: The person said no.");
		expect(text).not.toContain("I did");
	});

	it("does not claim what the page told nothing about", async () => {
		const lost = { type: "error_response", message: "The page was reloaded." } as const;
		const { text } = await runTurn(agent, turnStub(ADA, { answer: page(report(3), lost) }));
		expect(text).toContain("I did 3 of 3 steps:");
		expect(text).not.toContain("pressed");
		expect(text).toContain("The page did not do it: The page was reloaded.");
	});

	it("says so when no page answers", async () => {
		const answer = () => {
			throw new AgentFailure("no_answer", "The page did not answer within 60 s.");
		};
		const { text, error } = await runTurn(agent, turnStub(ADA, { answer }));
		expect(error).toBeUndefined();
		expect(text).toContain("I could not reach your page: The page did not answer within 60 s.");
	});

	it("does not act again when its turn is retried", async () => {
		const first = turnStub(ADA, { answer: page(report(3), report(1)) });
		const before = await runTurn(agent, first);
		const again = turnStub(ADA, { runId: first.runId, attempt: 2, memory: first.remembered() });

		const after = await runTurn(agent, again);

		expect(after.error).toBeUndefined();
		expect(again.requests).toEqual([]);
		expect(before.text.endsWith(after.text)).toBe(true);
	});
});

describe("the demo agent in talk", () => {
	it("knows the conversation and speaks in words", async () => {
		const turn = turnStub("What is my name?", {
			history: [{ role: "user", content: "Hello, my name is Alice." }],
		});
		const { events, result } = await runTurn(agent, turn);
		expect(events.map((event) => event.content)).toEqual(["Your", " name", " is", " Alice."]);
		expect(events.every((event) => event.type === "message" && event.delta === true)).toBe(true);
		expect(result?.stats).toMatchObject({ input_tokens: 4, output_tokens: 4 });
	});

	it.each(["/stream 2000 words", "count to 20 every 1ms"])(
		"streams exactly: %s",
		async (message) => {
			const { events, text } = await runTurn(agent, turnStub(message));
			expect(events.map((event) => event.content)).toEqual([...demoPieces(message)]);
			expect(text.split(" ")).toHaveLength(message.startsWith("/") ? 2000 : 20);
		},
	);

	it("keeps the pace", async () => {
		const started = performance.now();
		await runTurn(agent, turnStub("/stream 6 words every 50ms"));
		expect(performance.now() - started).toBeGreaterThan(240);
	});

	it.each(["/stream 1000 words every 1s", "/wait 600s"])(
		"stops when it is told: %s",
		async (message) => {
			const controller = new AbortController();
			const running = runTurn(agent, turnStub(message, { signal: controller.signal }));
			setImmediate(() => controller.abort());
			const { text } = await running;
			expect(text.length).toBeLessThan(10);
		},
	);

	it("fails and uses a tool on command", async () => {
		const { error } = await runTurn(agent, turnStub("/fail no luck"));
		expect(error).toMatchObject({ name: "AgentFailure", message: "no luck" });
		const { others, text } = await runTurn(agent, turnStub("/tool ping"));
		expect(others.map(({ type }) => type)).toEqual(["tool_use", "tool_result"]);
		expect(text).toBe("The tool said: ping");
	});
});
