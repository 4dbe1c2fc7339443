import { hostname } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { runTurn, turnStub } from "../turn-stub";
import { GEMINI_KEY, GEMINI_MODEL, startGemini } from "./gemini-setup";

/* The real Gemini CLI against a model endpoint on loopback. */
describe("the Gemini CLI as an agent", { timeout: 60_000 }, () => {
	const started: { stop(): Promise<void> }[] = [];
	const start: typeof startGemini = async (...args) => {
		const gemini = await startGemini(...args);
		started.push(gemini);
		return gemini;
	};
	afterEach(async () => {
		for (const part of started.splice(0)) await part.stop();
	});

	it("answers with text, its model and its usage", async () => {
		const { agent, model } = await start([[{ text: "Hello " }, { text: "wörld 🎉" }]]);
		const turn = turnStub("--help is what I say");

		const outcome = await runTurn(agent, turn);

		expect(outcome.error).toBeUndefined();
		expect(outcome.text).toBe("Hello wörld 🎉");
		expect(outcome.events[0]).toEqual({ type: "sandbox", sandbox_id: turn.sessionId });
		expect(outcome.result?.stats).toMatchObject({ input_tokens: 10, output_tokens: 5 });
		expect(turn.models).toEqual([GEMINI_MODEL]);
		expect(model.requests[0]!.messages.at(-1)!.text).toContain("--help is what I say");
		expect(outcome.others.map((event) => event.type)).not.toContain("init");
		expect(turn.remembered()).toEqual({
			session: { id: expect.any(String), host: expect.any(String), promptedRun: turn.runId },
		});
	});

	it("shows the tools that the CLI runs itself, in the session's own folder", async () => {
		const { agent } = await start([
			[
				{ text: "Writing. " },
				{ call: { name: "write_file", args: { file_path: "a.txt", content: "x" } } },
			],
			[{ call: { name: "list_directory", args: { dir_path: "." } } }],
			[{ text: "Done." }],
		]);

		const { others, text, error } = await runTurn(agent, turnStub("list"));

		expect(error).toBeUndefined();
		expect(text).toBe("Writing. Done.");
		const tools = others.filter(({ type }) => type === "tool_use" || type === "tool_result");
		expect(tools).toMatchObject([
			{ type: "tool_use", tool_name: "write_file" },
			{ type: "tool_result", status: "success" },
			{ type: "tool_use", tool_name: "list_directory" },
			{ type: "tool_result", status: "success" },
		]);
	});

	it("remembers: the next turn goes on in the CLI's own session", async () => {
		const { agent, model } = await start([[{ text: "Hello Alice." }], [{ text: "Alice." }]]);
		const first = turnStub("My name is Alice.");
		await runTurn(agent, first);

		const second = turnStub("What is my name?", {
			sessionId: first.sessionId,
			memory: first.remembered(),
		});
		const { text } = await runTurn(agent, second);

		expect(text).toBe("Alice.");
		const texts = model.requests[1]!.messages.map((message) => message.text).join("\n");
		expect(texts).toMatch(/My name is Alice\..*Hello Alice\..*What is my name\?/s);
		expect(second.remembered().session).toMatchObject({
			id: (first.remembered().session as { id: string }).id,
		});
	});

	it("starts anew, with the conversation so far, when the CLI has lost its session", async () => {
		const { agent, model } = await start([[{ text: "Alice." }]]);
		const lost = { id: "00000000-0000-4000-8000-000000000000", host: hostname() };
		const turn = turnStub("What is my name?", {
			memory: { session: lost },
			history: [
				{ role: "user", content: "My name is Alice." },
				{ role: "assistant", content: "Hello Alice." },
			],
		});

		const { text, others, error } = await runTurn(agent, turn);

		expect(error).toBeUndefined();
		expect(text).toBe("Alice.");
		expect(others).toContainEqual(expect.objectContaining({ type: "error", severity: "warning" }));
		expect(model.requests[0]!.messages.at(-1)!.text).toContain("user: My name is Alice.");
		expect(turn.remembered().session).not.toMatchObject({ id: lost.id });
	});

	it("fails with the model's reason, and without the key", async () => {
		const message = `Bad request with ${GEMINI_KEY}`;
		const { agent } = await start([[{ status: 400, message }]]);

		const outcome = await runTurn(agent, turnStub("hi"));

		expect(outcome.error).toMatchObject({
			name: "AgentFailure",
			type: "agent",
			message: expect.stringContaining("Bad request with [removed]"),
		});
		expect(JSON.stringify(outcome.events)).not.toContain(GEMINI_KEY);
		expect(outcome.text).toBe("");
	});
});
