import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { geminiCli } from "../../src/cli";
import { runTurn, turnStub } from "../turn-stub";
import { type FakeStep, fakeAgent, INIT, KEY, RESULT, said } from "./fake-setup";

const whole: FakeStep[] = [{ line: INIT }, { line: said("Hi.") }, { line: RESULT }];

describe("a command-line agent", () => {
	it("gets the message, a folder of its own, and an environment of allowed variables", async () => {
		const { agent, folder } = await fakeAgent([]);
		const record = join(folder, "record.json");
		const { agent: recorder } = await fakeAgent([{ record }, ...whole], { sandboxRoot: folder });
		expect(agent.name).toBe("gemini");
		const turn = turnStub('--evil "$(id)" `id`\n', { document: "a paper" });

		const outcome = await runTurn(recorder, turn);

		expect(outcome.error).toBeUndefined();
		const seen = JSON.parse(readFileSync(record, "utf8")) as {
			input: string;
			args: string[];
			cwd: string;
			env: Record<string, string>;
		};
		expect(seen.input).toBe('--evil "$(id)" `id`\n\n\n<document>\na paper\n</document>');
		expect(seen.args.join(" ")).not.toContain("evil");
		expect(seen.cwd).toBe(join(folder, turn.sessionId));
		const home = join(folder, ".homes", "gemini", turn.sessionId);
		expect(seen.env).toMatchObject({ HOME: home, GEMINI_API_KEY: KEY, TMPDIR: join(home, "tmp") });
		const inherited = Object.keys(seen.env).filter((name) => !ALLOWED.test(name));
		expect(inherited).toEqual([]);
	});

	it("writes the CLI's settings with the tools of the turn, for its owner alone", async () => {
		const mcp = { command: "relay", args: ["--stdio"], env: { TOKEN: "relay-token-1" } };
		const { agent, folder } = await fakeAgent(whole, { mcp: () => mcp });
		const turn = turnStub("hi");
		await runTurn(agent, turn);
		const path = join(folder, ".homes", "gemini", turn.sessionId, ".gemini", "settings.json");
		const settings = JSON.parse(readFileSync(path, "utf8"));
		expect(settings.security.auth.selectedType).toBe("gemini-api-key");
		expect(settings.mcpServers.browser_tool_relay).toMatchObject({ ...mcp, trust: true });
		expect(statSync(path).mode & 0o077).toBe(0);
	});

	it("remembers its own session and tells its model", async () => {
		const { agent } = await fakeAgent(whole);
		const turn = turnStub("hi");
		const { events, result } = await runTurn(agent, turn);
		expect(events).toEqual([{ type: "sandbox", sandbox_id: turn.sessionId }, said("Hi.")]);
		expect(result).toEqual({ stats: { total_tokens: 3 } });
		expect(turn.models).toEqual(["fake-model"]);
		const session = { id: "cli-1", host: hostname(), promptedRun: turn.runId };
		expect(turn.remembered()).toEqual({ session });
	});

	it("is not told to go on with a message that it may not have", async () => {
		const { agent, folder } = await fakeAgent([]);
		const record = join(folder, "record.json");
		const { agent: recorder } = await fakeAgent([{ record }, ...whole]);
		expect(agent.recovery).toBe("resume");
		const session = { id: "cli-1", host: hostname(), promptedRun: "an-earlier-turn" };
		await runTurn(recorder, turnStub("the new one", { attempt: 2, memory: { session } }));
		const seen = JSON.parse(readFileSync(record, "utf8"));
		expect(seen.input).toBe("the new one");
		expect(seen.args).toEqual(expect.arrayContaining(["--resume", "cli-1"]));
	});
});

const ALLOWED =
	/^(PATH|HOME|TMPDIR|TERM|LANG|LC_|TZ|NO_COLOR|GEMINI_|FAKE_CLI|BATON_CLI_RUN|PWD|OLDPWD|SHLVL|_$|__)/;

describe("a command-line agent that fails", () => {
	const result = { type: "result", status: "error", error: { message: "quota is gone" } };
	it.each<[string, FakeStep[], string, RegExp]>([
		["a result that is an error", [{ line: INIT }, { line: result }], "agent", /quota is gone/],
		[
			"an exit code",
			[{ line: INIT }, { stderr: "cannot go on" }, { exit: 3 }],
			"exit",
			/code 3.*cannot go on/s,
		],
		["a success that exits badly", [...whole, { exit: 9 }], "exit", /code 9/],
		[
			"an exit without a result",
			[{ line: INIT }, { line: said("Hi.") }],
			"exit",
			/without a result/,
		],
		["nothing at all", [], "exit", /without a result/],
		["output of another kind", [{ raw: "Usage: gemini [options]\n" }], "exit", /Usage: gemini/],
		[
			"an error at the end",
			[{ line: { type: "error", severity: "error", message: "broken" } }],
			"exit",
			/broken/,
		],
		["a death by signal", [{ raw: "" }, { exit: 139 }], "exit", /signal 11/],
	])("says why: %s", async (_title, steps, type, message) => {
		const { agent } = await fakeAgent(steps);
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ name: "AgentFailure", type });
		expect((error as Error).message).toMatch(message);
	});

	it("shows what it writes to its error output, without its key, up to a limit", async () => {
		const lines: FakeStep[] = Array.from({ length: 50 }, (_, n) => ({
			stderr: `try ${n} with ${KEY}`,
		}));
		const { agent } = await fakeAgent([...lines, { exit: 1 }], { limits: { stderrChars: 500 } });
		const { events, error } = await runTurn(agent, turnStub("hi"));
		const told = events.filter(({ type }) => type === "stderr");
		expect(told[0]).toEqual({ type: "stderr", content: "try 0 with [removed]" });
		expect(told.length).toBeLessThan(40);
		expect(told.at(-1)!.content).toContain("left out");
		expect((error as Error).message).toContain("try 49 with [removed]");
	});

	it("goes on after a line that is no event", async () => {
		const { agent } = await fakeAgent([
			{ line: INIT },
			{ raw: '{"broken\n[1]\n' },
			...whole.slice(1),
		]);
		const { text, others, error } = await runTurn(agent, turnStub("hi"));
		expect(error).toBeUndefined();
		expect(text).toBe("Hi.");
		expect(others).toContainEqual({ type: "stderr", content: '{"broken' });
	});

	it.each<[string, FakeStep[], object, string]>([
		["wall time", [{ line: INIT }, { wait: 60_000 }], { wallMs: 1_500 }, "timeout"],
		["silence", [{ line: INIT }, { wait: 60_000 }], { silenceMs: 1_500 }, "silent"],
		["output", [{ flood: 3_000_000 }, { wait: 60_000 }], { outputBytes: 1_000_000 }, "output"],
	])("is stopped at its limit of %s", async (_title, steps, limits, type) => {
		const { agent } = await fakeAgent(steps, { limits });
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ name: "AgentFailure", type, retryable: true });
	});

	it("may be silent while a tool runs", async () => {
		const use = { type: "tool_use", tool_id: "t", tool_name: "n", parameters: {} };
		const done = { type: "tool_result", tool_id: "t", status: "success" };
		const steps: FakeStep[] = [{ line: INIT }, { line: use }, { wait: 2_500 }, { line: done }];
		const { agent } = await fakeAgent([...steps, ...whole.slice(1)], {
			limits: { silenceMs: 1_000 },
		});
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toBeUndefined();
	});

	it("says how to install a program that is not there", async () => {
		const { agent } = await fakeAgent([], {
			command: undefined,
			env: { PATH: "/nowhere", GEMINI_API_KEY: KEY },
		});
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ type: "missing_program" });
		expect((error as Error).message).toContain("npm install -g @google/gemini-cli");
	});

	it("names the key that is missing", async () => {
		const { agent } = await fakeAgent([], { env: { PATH: process.env.PATH } });
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ type: "missing_key" });
		expect((error as Error).message).toContain(geminiCli().keyVariable);
	});

	it.each(["../up", ".homes", "a/b", ""])(
		"refuses the session id %j as a folder",
		async (sessionId) => {
			const { agent } = await fakeAgent(whole);
			const { error } = await runTurn(agent, turnStub("hi", { sessionId }));
			expect(error).toMatchObject({ type: "bad_session_id" });
		},
	);
});
