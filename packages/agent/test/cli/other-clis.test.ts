import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeCli, codexCli } from "../../src/cli";
import { runTurn, turnStub } from "../turn-stub";
import { fakeAgent } from "./fake-setup";

const fixture = (name: string) => join(import.meta.dirname, "../../fixtures", `${name}.ndjson`);

/* Recorded output of the real programs, printed by a stand-in. */
describe.each([
	[
		"codex",
		codexCli,
		"codex-0.166",
		"Error: thread/resume failed: no rollout found for thread id 1",
	],
	["claude-code", claudeCodeCli, "claude-code-2.1", "No conversation found with session ID: 1"],
])("%s as an agent", (name, adapter, recording, sessionLost) => {
	it("answers, with its tools and its usage", async () => {
		const { agent, folder } = await fakeAgent(
			[{ file: fixture(`${recording}-tool`) }],
			{ mcp: () => ({ command: "relay", env: { TOKEN: "relay-token" } }) },
			adapter(),
		);
		const turn = turnStub("hi");
		const { text, others, result, error } = await runTurn(agent, turn);
		expect(error).toBeUndefined();
		expect(agent.name).toBe(name);
		expect(text).toBe("Let me look.Hello wörld");
		expect(others.map(({ type }) => type)).toEqual(
			expect.arrayContaining(["sandbox", "tool_use", "tool_result"]),
		);
		expect(result?.stats).toMatchObject({ output_tokens: 20, tool_calls: 1 });
		expect(turn.remembered().session).toMatchObject({ promptedRun: turn.runId });
		const home = join(folder, ".homes", name, turn.sessionId);
		const file = name === "codex" ? ".codex/config.toml" : ".claude/mcp.json";
		expect(readFileSync(join(home, file), "utf8")).toContain("relay-token");
	});

	it("fails with the reason", async () => {
		const steps = [{ file: fixture(`${recording}-failed`) }, { exit: 1 }];
		const { agent } = await fakeAgent(steps, {}, adapter());
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ name: "AgentFailure", type: "agent" });
		expect((error as Error).message).toMatch(/api.key/i);
	});

	it("knows what it says when its session is gone", () => {
		expect(adapter().isSessionLost(sessionLost)).toBe(true);
		expect(adapter().isSessionLost("another reason")).toBe(false);
	});
});
