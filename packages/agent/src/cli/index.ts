export type { CliAdapter, CliCall, CliSignal, HomeFile, McpForTurn, McpServer } from "./adapter";
export { claudeCodeCli } from "./claude-code/claude-code-cli";
export { codexCli } from "./codex/codex-cli";
export { type CliAgentOptions, createCliAgent } from "./create-cli-agent";
export { geminiCli } from "./gemini/gemini-cli";
export { type CliLimits, DEFAULT_LIMITS } from "./limits";
export { CONTINUATION_PROMPT } from "./plan-prompt";
