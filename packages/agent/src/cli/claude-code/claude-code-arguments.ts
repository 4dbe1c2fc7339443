import { join } from "node:path";
import { type CliCall, type HomeFile, MCP_SERVER_NAME } from "../adapter";

/** Where the MCP servers are written, under its home. */
const MCP_FILE = ".claude/mcp.json";

/** With `-p` and no prompt it reads the prompt from standard input. */
export function claudeCodeArguments({ home, model, resume, mcp }: CliCall): string[] {
	return [
		...["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"],
		...["--permission-mode", "bypassPermissions"],
		...(model ? ["--model", model] : []),
		...(resume ? ["--resume", resume] : []),
		...(mcp ? ["--strict-mcp-config", "--mcp-config", join(home, MCP_FILE)] : []),
	];
}

export function claudeCodeMcpFile({ mcp }: CliCall): HomeFile[] {
	if (!mcp) return [];
	const server = { type: "stdio", command: mcp.command, args: mcp.args ?? [], env: mcp.env ?? {} };
	const content = JSON.stringify({ mcpServers: { [MCP_SERVER_NAME]: server } }, null, "\t");
	return [{ path: MCP_FILE, content }];
}
