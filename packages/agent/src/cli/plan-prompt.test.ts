import { describe, expect, it } from "vitest";
import { CONTINUATION_PROMPT, type PromptInput, planPrompt } from "./plan-prompt";

const base: PromptInput = {
	...{ message: "hello", runId: "run-1", attempt: 1, host: "here", session: null },
	...{ history: [], said: "" },
};
const session = { id: "cli-1", host: "here" };

describe("planPrompt", () => {
	it("starts a session with the message alone", () => {
		expect(planPrompt(base)).toEqual({ prompt: "hello", continues: false });
	});

	it("goes on in the CLI's session", () => {
		expect(planPrompt({ ...base, session })).toEqual({
			...{ prompt: "hello", resume: "cli-1", continues: false },
		});
	});

	it("asks to continue only when the CLI has this turn's message", () => {
		const prompted = { ...session, promptedRun: "run-1" };
		const recovery = { ...base, attempt: 2, session: prompted };
		expect(planPrompt(recovery)).toEqual({
			...{ prompt: CONTINUATION_PROMPT, resume: "cli-1", continues: true },
		});
		expect(planPrompt({ ...recovery, said: "Once upon" }).prompt).toContain("Once upon");
		expect(planPrompt({ ...recovery, runId: "run-2" }).prompt).toBe("hello");
		expect(planPrompt({ ...recovery, attempt: 1 }).prompt).toBe("hello");
		expect(planPrompt({ ...recovery, session: null }).prompt).toBe("hello");
	});

	it("brings the conversation along when the session is elsewhere, and says so", () => {
		const plan = planPrompt({
			...base,
			session: { ...session, host: "there" },
			history: [
				{ role: "user", content: "I am Ada" },
				{ role: "assistant", content: "Hi Ada" },
			],
		});
		expect(plan.resume).toBeUndefined();
		expect(plan.prompt).toMatch(/user: I am Ada\n\nassistant: Hi Ada\n.*\n\nhello$/s);
		expect(plan.notice).toContain("another machine");
	});

	it("brings along no more than fits", () => {
		const history = Array.from({ length: 100 }, (_, n) => ({
			...{ role: "user" as const, content: `${n} ${"x".repeat(1000)}` },
		}));
		const { prompt } = planPrompt({ ...base, history });
		expect(prompt.length).toBeLessThan(40_000);
		expect(prompt).toContain("user: 99 ");
		expect(prompt).not.toContain("user: 0 ");
	});
});
