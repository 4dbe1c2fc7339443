import { type CliCall, type HomeFile, MCP_SERVER_NAME } from "../adapter";

const DEFAULT_TOOL_TIMEOUT_MS = 10 * 60_000;

/**
 * The prompt is not among them: it goes to standard input. There it cannot be taken for an option,
 * has no length limit, and is not shown in the list of processes.
 */
export function geminiArguments({ model, resume }: CliCall): string[] {
	return [
		...["-o", "stream-json", "--approval-mode", "yolo", "--skip-trust"],
		...(model ? ["-m", model] : []),
		...(resume ? ["--resume", resume] : []),
	];
}

/** Without the kind of authentication in its settings the CLI refuses to start. */
export function geminiSettings({ mcp }: CliCall): HomeFile {
	const settings = {
		security: { auth: { selectedType: "gemini-api-key" } },
		privacy: { usageStatisticsEnabled: false },
		mcpServers: mcp && {
			[MCP_SERVER_NAME]: {
				command: mcp.command,
				args: mcp.args ?? [],
				env: mcp.env ?? {},
				trust: true,
				timeout: mcp.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
			},
		},
	};
	return { path: ".gemini/settings.json", content: JSON.stringify(settings, null, "\t") };
}
