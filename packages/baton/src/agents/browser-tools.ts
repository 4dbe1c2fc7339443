import type { Turn } from "@baton/agent";
import type { McpServer } from "@baton/agent/cli";
import type { RelayStore } from "@giselles-ai/browser-tool/relay";

/** The browser's tools for the programs that agents run. */
export interface BrowserTools {
	relay: RelayStore;
	/** Where those programs reach the relay: this process, on loopback. */
	relayUrl: () => string;
	answerMs: number;
}

interface OpenTools {
	server: McpServer;
	/** Ends the credentials: what the program may have told others is worth nothing then. */
	close(): Promise<void>;
}

/** The MCP server to start for a turn, with credentials for that turn alone. */
export async function openBrowserTools(
	{ relay, relayUrl, answerMs }: BrowserTools,
	turn: Turn,
): Promise<OpenTools> {
	// It brings the whole SDK of the protocol, which only these turns need.
	const { mcpServerPath } = await import("@giselles-ai/browser-tool/mcp");
	const { sessionId: agentSessionId, runId } = turn;
	const credentials = await relay.createRelaySession({ agentSessionId, runId, role: "agent" });
	const server = {
		command: process.execPath,
		args: [mcpServerPath],
		env: {
			BROWSER_TOOL_RELAY_URL: relayUrl(),
			BROWSER_TOOL_RELAY_SESSION_ID: credentials.sessionId,
			BROWSER_TOOL_RELAY_TOKEN: credentials.token,
			BROWSER_TOOL_RELAY_TIMEOUT_MS: String(Math.min(answerMs, 600_000)),
		},
		// The relay says that a page took too long; the program should hear that, not give up first.
		timeoutMs: answerMs + 10_000,
	};
	return { server, close: () => relay.revokeRelaySession(credentials.sessionId) };
}
