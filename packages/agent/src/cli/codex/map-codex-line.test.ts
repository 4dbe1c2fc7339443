import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codexArguments, codexConfig } from "./codex-arguments";
import { createCodexMapper } from "./map-codex-line";

const recorded = (name: string) =>
	readFileSync(new URL(`../../../fixtures/${name}.ndjson`, import.meta.url), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the output of codex exec --json", () => {
	it("maps a recorded turn with a tool", () => {
		const signals = recorded("codex-0.166-tool").flatMap(createCodexMapper());
		const events = signals.flatMap((signal) => (signal.kind === "event" ? [signal.event] : []));
		expect(signals[0]).toEqual({ kind: "session", id: expect.any(String) });
		expect(events).toEqual([
			{ type: "error", severity: "warning", message: expect.stringContaining("metadata") },
			{ type: "message", role: "assistant", content: "Let me look." },
			{
				...{ type: "tool_use", tool_id: "item_2", tool_name: "command_execution" },
				parameters: { command: "/bin/bash -lc 'echo hi'" },
			},
			{ type: "tool_result", tool_id: "item_2", status: "success", output: "hi\n" },
			{ type: "message", role: "assistant", content: "Hello wörld" },
		]);
		expect(signals.at(-1)).toEqual({
			kind: "success",
			stats: {
				...{ total_tokens: 60, input_tokens: 40, output_tokens: 20 },
				...{ cached: 10, input: 30, tool_calls: 1 },
			},
		});
	});

	it("maps a recorded turn that failed: tries are warnings, the end is the reason", () => {
		const signals = recorded("codex-0.166-failed").flatMap(createCodexMapper());
		expect(signals.filter(({ kind }) => kind === "event").length).toBeGreaterThan(5);
		expect(signals.at(-1)).toEqual({
			kind: "failure",
			message: expect.stringContaining("401 Unauthorized: invalid x-api-key"),
		});
	});

	it("maps tools that fail, and tools that come without a start", () => {
		const map = createCodexMapper();
		const item = { id: "i1", type: "mcp_tool_call", server: "relay", tool: "look" };
		const arguments_ = { arguments: { a: 1 }, result: null };
		expect(
			map({
				type: "item.completed",
				item: { ...item, ...arguments_, status: "failed", error: { message: "no page" } },
			}),
		).toEqual([
			{
				kind: "event",
				event: {
					...{ type: "tool_use", tool_id: "i1", tool_name: "mcp_relay_look" },
					parameters: { server: "relay", tool: "look", arguments: { a: 1 } },
				},
			},
			{
				kind: "event",
				event: {
					...{ type: "tool_result", tool_id: "i1", status: "error", error: { message: "no page" } },
				},
			},
		]);
	});

	it.each([{}, { type: 1 }, { type: "item.completed" }, { type: "later.version" }])(
		"skips what it does not know: %j",
		(line) => expect(createCodexMapper()(line)).toEqual([]),
	);
});

describe("how codex is called", () => {
	it("reads the prompt from standard input, in a new or an earlier session", () => {
		const call = { home: "/h", model: "m" };
		const common = ["--json", "--skip-git-repo-check", "--model", "m"];
		expect(codexArguments(call)).toEqual(["exec", ...common, "-"]);
		expect(codexArguments({ ...call, resume: "s" })).toEqual([
			"exec",
			"resume",
			...common,
			"s",
			"-",
		]);
	});

	it("has its settings in a file, quoted", () => {
		const mcp = { command: "a b", args: ['"'], env: { TOKEN: 't"\n\u007f' }, timeoutMs: 5_000 };
		const { content } = codexConfig({ home: "/h", mcp }, { OPENAI_BASE_URL: "http://x" });
		expect(content).toContain('openai_base_url = "http://x"');
		expect(content).toContain('command = "a b"\nargs = ["\\""]\ntool_timeout_sec = 5');
		expect(content).toContain('"TOKEN" = "t\\"\\n\\u007f"');
	});
});
