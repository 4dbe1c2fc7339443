import type { AgentEvent, Turn } from "../agent";

/** A program that the CLI starts and talks to over the Model Context Protocol. */
export interface McpServer {
	command: string;
	args?: string[];
	env?: Record<string, string>;
	/** Milliseconds that one tool call may take. */
	timeoutMs?: number;
}

/** The name under which a CLI knows the browser's tools. */
export const MCP_SERVER_NAME = "browser_tool_relay";

/** One start of a CLI. */
export interface CliCall {
	/** The folder that HOME names. */
	home: string;
	/** The CLI's own session to go on with; absent, it makes a new one. */
	resume?: string;
	model?: string;
	mcp?: McpServer;
}

/** A file that the CLI reads at its start, under its home. */
export interface HomeFile {
	path: string;
	content: string;
}

/** What a line of the CLI's output means. */
export type CliSignal =
	| { kind: "session"; id: string; model?: string }
	| { kind: "event"; event: AgentEvent }
	| { kind: "success"; stats?: Record<string, unknown> }
	| { kind: "failure"; message: string; retryable?: boolean };

/**
 * How one command-line agent is spoken to. Values in, values out: processes, files and clocks belong
 * to the agent that uses it. The prompt goes to standard input, so no message can become an option.
 */
export interface CliAdapter {
	/** As agents are named in settings. */
	readonly name: string;
	/** What people call it, as the start of a sentence. */
	readonly title: string;
	/** The program, as it is found in PATH. */
	readonly program: string;
	/** The command that installs it. */
	readonly install: string;
	/** The variable with the key; it must be there. */
	readonly keyVariable: string;
	/** More variables of its provider that it may see. */
	readonly variables: readonly string[];
	/** More variables, made from those it was allowed. */
	env(allowed: Readonly<Record<string, string>>): Record<string, string>;
	args(call: CliCall): string[];
	homeFiles(call: CliCall, env: Readonly<Record<string, string>>): HomeFile[];
	/** A mapper for the lines of one run: it may remember the lines before. */
	createMapper(): (line: Record<string, unknown>) => CliSignal[];
	/** Lines of standard error that say nothing about this turn. */
	isNoise(line: string): boolean;
	/** Whether a failure means that the CLI no longer has the session it was to resume. */
	isSessionLost(reason: string): boolean;
}

/** Relay credentials for a turn, as an MCP server that the CLI starts. */
export type McpForTurn = (turn: Turn) => McpServer | undefined | Promise<McpServer | undefined>;
