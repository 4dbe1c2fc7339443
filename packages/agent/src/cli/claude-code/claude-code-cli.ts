import type { CliAdapter } from "../adapter";
import { claudeCodeArguments, claudeCodeMcpFile } from "./claude-code-arguments";
import { createClaudeCodeMapper } from "./map-claude-code-line";

/** Anthropic's Claude Code. Tried with 2.1. */
export function claudeCodeCli(): CliAdapter {
	return {
		name: "claude-code",
		title: "Claude Code",
		program: "claude",
		install: "npm install -g @anthropic-ai/claude-code",
		keyVariable: "ANTHROPIC_API_KEY",
		variables: ["ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
		env: () => ({
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
			// It refuses to work without questions as root unless it is told that it is confined.
			IS_SANDBOX: "1",
		}),
		args: claudeCodeArguments,
		homeFiles: claudeCodeMcpFile,
		createMapper: createClaudeCodeMapper,
		isNoise: () => false,
		isSessionLost: (reason) => /No conversation found with session ID/i.test(reason),
	};
}
