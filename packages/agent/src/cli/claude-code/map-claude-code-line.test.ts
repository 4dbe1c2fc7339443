import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { claudeCodeArguments, claudeCodeMcpFile } from "./claude-code-arguments";
import { createClaudeCodeMapper } from "./map-claude-code-line";

const recorded = (name: string) =>
	readFileSync(new URL(`../../../fixtures/${name}.ndjson`, import.meta.url), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, unknown>);

const delta = (content: string) => ({ type: "message", role: "assistant", content, delta: true });

describe("the output of claude -p --output-format stream-json", () => {
	it("maps a recorded turn with a tool: text once, as it came", () => {
		const signals = recorded("claude-code-2.1-tool").flatMap(createClaudeCodeMapper());
		const events = signals.flatMap((signal) => (signal.kind === "event" ? [signal.event] : []));
		expect(signals[0]).toEqual({
			...{ kind: "session", id: expect.any(String), model: expect.stringContaining("claude") },
		});
		expect(events).toEqual([
			...[delta("Let me "), delta("look.")],
			{
				...{ type: "tool_use", tool_id: "toolu_1", tool_name: "Bash" },
				parameters: { command: "echo hi", description: "say hi" },
			},
			{ type: "tool_result", tool_id: "toolu_1", status: "success", output: "hi" },
			...[delta("Hello "), delta("wörld")],
		]);
		expect(signals.at(-1)).toEqual({
			kind: "success",
			stats: {
				...{ total_tokens: 70, input_tokens: 50, output_tokens: 20, cached: 10, input: 40 },
				...{ tool_calls: 1, duration_ms: expect.any(Number) },
			},
		});
	});

	it("maps a recorded turn that failed, although it calls itself a success", () => {
		const signals = recorded("claude-code-2.1-failed").flatMap(createClaudeCodeMapper());
		const events = signals.flatMap((signal) => (signal.kind === "event" ? [signal.event] : []));
		expect(events).toEqual([
			{ type: "error", severity: "warning", message: expect.stringContaining("1 of 1") },
		]);
		expect(signals.at(-1)).toEqual({
			...{ kind: "failure", message: expect.stringContaining("Invalid API key"), retryable: false },
		});
	});

	it("takes whole messages from a version that streams no deltas", () => {
		const content = [{ type: "text", text: "Hi." }];
		const event = { type: "message", role: "assistant", content: "Hi." };
		expect(createClaudeCodeMapper()({ type: "assistant", message: { content } })).toEqual([
			{ kind: "event", event },
		]);
	});

	it("leaves out what its sub-agents say", () => {
		const line = { type: "assistant", parent_tool_use_id: "toolu_0" };
		const message = { content: [{ type: "text", text: "to myself" }] };
		expect(createClaudeCodeMapper()({ ...line, message })).toEqual([]);
	});

	it("maps a tool that failed", () => {
		const block = {
			type: "tool_result",
			tool_use_id: "t",
			content: "no such file",
			is_error: true,
		};
		expect(createClaudeCodeMapper()({ type: "user", message: { content: [block] } })).toMatchObject(
			[{ event: { type: "tool_result", status: "error", error: { message: "no such file" } } }],
		);
	});

	it.each([{}, { type: 1 }, { type: "user", message: { content: "text" } }, { type: "later" }])(
		"skips what it does not know: %j",
		(line) => expect(createClaudeCodeMapper()(line)).toEqual([]),
	);
});

describe("how claude is called", () => {
	it("resumes a session, and finds its tools in a file", () => {
		const call = { home: "/h", resume: "s", model: "m", mcp: { command: "relay" } };
		const args = claudeCodeArguments(call);
		expect(args.join(" ")).toContain("-p --output-format stream-json --verbose");
		expect(args.join(" ")).toContain("--model m --resume s");
		expect(args.slice(-2)).toEqual(["--mcp-config", "/h/.claude/mcp.json"]);
		expect(JSON.parse(claudeCodeMcpFile(call)[0]!.content)).toMatchObject({
			mcpServers: { browser_tool_relay: { command: "relay" } },
		});
	});
});
