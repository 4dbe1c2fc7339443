import { type CliCall, type HomeFile, MCP_SERVER_NAME } from "../adapter";

const DEFAULT_TOOL_TIMEOUT_S = 600;

/** `-` makes it read the prompt from standard input. */
export function codexArguments({ model, resume }: CliCall): string[] {
	return [
		"exec",
		...(resume ? ["resume"] : []),
		...["--json", "--skip-git-repo-check"],
		...(model ? ["--model", model] : []),
		...(resume ? [resume] : []),
		"-",
	];
}

/** Settings that `exec resume` has no options for, and credentials that must not be arguments. */
export function codexConfig({ mcp }: CliCall, env: Readonly<Record<string, string>>): HomeFile {
	const lines = ['approval_policy = "never"', 'sandbox_mode = "workspace-write"'];
	if (env.OPENAI_BASE_URL) lines.push(`openai_base_url = ${text(env.OPENAI_BASE_URL)}`);
	if (mcp) {
		const timeout = mcp.timeoutMs === undefined ? DEFAULT_TOOL_TIMEOUT_S : mcp.timeoutMs / 1000;
		lines.push(
			`[mcp_servers.${MCP_SERVER_NAME}]`,
			`command = ${text(mcp.command)}`,
			`args = [${(mcp.args ?? []).map(text).join(", ")}]`,
			`tool_timeout_sec = ${timeout}`,
			`default_tools_approval_mode = "approve"`,
			`[mcp_servers.${MCP_SERVER_NAME}.env]`,
			...Object.entries(mcp.env ?? {}).map(([name, value]) => `${text(name)} = ${text(value)}`),
		);
	}
	return { path: ".codex/config.toml", content: `${lines.join("\n")}\n` };
}

/** A JSON string is a TOML basic string, but for one control character that JSON leaves as it is. */
function text(value: string): string {
	return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
