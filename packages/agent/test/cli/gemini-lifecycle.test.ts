import { join } from "node:path";
import { spawnNode, waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { CONTINUATION_PROMPT } from "../../src/cli";
import { runTurn, turnStub } from "../turn-stub";
import { GEMINI_KEY, geminiOptions, startGemini } from "./gemini-setup";
import { isRunning, processesInGroup, processesWith } from "./processes";

const here = import.meta.dirname;
const SLOW = Array.from({ length: 600 }, (_, index) => [
	{ text: `w${index} ` },
	{ wait: 50 },
]).flat();
const KILL_MS = 2_000;

interface Remembered {
	process: { pid: number; pgid: number };
	session: { id: string };
}

/* The real Gemini CLI: what it waits for, and how it ends. */
describe("a run of the Gemini CLI", { timeout: 90_000 }, () => {
	const started: { stop(): Promise<void> }[] = [];
	const start: typeof startGemini = async (...args) => {
		const gemini = await startGemini(...args);
		started.push(gemini);
		return gemini;
	};
	afterEach(async () => {
		for (const part of started.splice(0).toReversed()) await part.stop();
	});

	it("waits for an MCP tool that takes its time", async () => {
		const name = "mcp_browser_tool_relay_getFormSnapshot";
		const { agent, model } = await start(
			[[{ call: { name, args: { instruction: "look" } } }], [{ text: "I looked." }]],
			{
				mcp: () => ({
					command: process.execPath,
					args: [join(here, "slow-mcp-server.mjs")],
					env: { WAIT_MS: "3000" },
				}),
				// Silence counts only while no tool runs.
				limits: { silenceMs: 15_000 },
			},
		);

		const { text, others, error } = await runTurn(agent, turnStub("Look at the form."));

		expect(error).toBeUndefined();
		expect(text).toBe("I looked.");
		expect(others).toContainEqual(
			expect.objectContaining({ type: "tool_result", output: "look after a wait" }),
		);
		expect(model.requests[0]!.tools).toContain(name);
		expect(JSON.stringify(model.requests[1]!.toolResults)).toContain("look after a wait");
	});

	it("is gone within two seconds of an abort, with every process of its tools", async () => {
		// The CLI starts commands in sessions of their own: a signal to its group misses them.
		const command = `sleep ${7_000_000 + Math.floor(Math.random() * 1_000_000)}`;
		const { agent } = await start([
			[{ text: "Sleeping. " }, { call: { name: "run_shell_command", args: { command } } }],
		]);
		const controller = new AbortController();
		const turn = turnStub("Sleep.", { signal: controller.signal });
		const running = runTurn(agent, turn);
		await waitFor(() => processesWith(command).length > 0, { timeoutMs: 30_000 });
		const { process: leader } = turn.remembered() as unknown as Remembered;
		expect(processesInGroup(leader.pgid).length).toBeGreaterThan(1);

		const aborted = performance.now();
		controller.abort();
		const outcome = await running;
		const took = performance.now() - aborted;

		expect(took).toBeLessThan(KILL_MS);
		expect(processesInGroup(leader.pgid)).toEqual([]);
		expect(processesWith(command)).toEqual([]);
		expect(outcome.error).toBeUndefined();
		expect(outcome.text).toBe("Sleeping. ");
		expect(turn.remembered()).not.toHaveProperty("process");
	});

	it("is ended by its watchdog when its runner is killed, and its session can be resumed", async () => {
		const { agent, model, folder } = await start((_request, index) =>
			index === 0 ? SLOW : [{ text: "and the rest." }],
		);
		const first = turnStub("Tell me a long story.");
		const { sessionId, runId, attempt, input } = first;
		const runner = spawnNode(join(here, "gemini-runner.mjs"), {
			env: {
				RUNNER_INPUT: JSON.stringify({
					options: geminiOptions(folder, model.url),
					turn: { sessionId, runId, attempt, input },
				}),
			},
		});
		started.push(runner);
		const said: string[] = [];
		let memory = {} as Remembered;
		await runner.waitForLine((line) => {
			const told = JSON.parse(line) as { memory?: Remembered; event?: { content?: string } };
			memory = told.memory ?? memory;
			if (told.event?.content?.startsWith("w")) said.push(told.event.content);
			return said.length >= 5;
		}, 30_000);
		expect(processesInGroup(memory.process.pgid).length).toBeGreaterThan(1);

		runner.kill("SIGKILL");
		await waitFor(() => processesInGroup(memory.process.pgid).length === 0, {
			timeoutMs: KILL_MS + 1_000,
			what: "the end of the CLI's group",
		});
		await agent.cleanUp!(memory as never);

		const second = turnStub(input.content, {
			...{ sessionId, runId, attempt: 2 },
			memory: memory as never,
		});
		const outcome = await runTurn(agent, second);
		expect(outcome.error).toBeUndefined();
		expect(outcome.text).toBe("and the rest.");
		expect(second.remembered().session).toMatchObject({ id: memory.session.id });
		const texts = model.requests[1]!.messages.map((message) => message.text);
		expect(texts.join("\n")).toContain("Tell me a long story.");
		expect(texts.at(-1)).toContain(CONTINUATION_PROMPT);
		expect(texts.at(-1)).toContain(said.slice(0, 4).join(""));
		expect(runner.stderr).not.toContain(GEMINI_KEY);
		expect(isRunning(memory.process.pid)).toBe(false);
	});
});
