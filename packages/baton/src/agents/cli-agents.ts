import { join } from "node:path";
import type { Agent } from "@baton/agent";
import {
	type CliAdapter,
	type CliAgentOptions,
	claudeCodeCli,
	codexCli,
	createCliAgent,
	geminiCli,
} from "@baton/agent/cli";
import type { Config } from "../config/config";
import type { AgentKind } from "./agent-kind";
import { type BrowserTools, openBrowserTools } from "./browser-tools";

/** Agents that are command-line programs: `gemini`, `codex`, `claude-code`. */
export function cliAgents(config: Config, tools?: BrowserTools): AgentKind {
	const adapters = [geminiCli(), codexCli(), claudeCodeCli()];
	const options: CliAgentOptions = {
		sandboxRoot: join(config.dataDir, "sandboxes"),
		env: config.environment,
		limits: { wallMs: config.turnMs },
	};
	return {
		names: adapters.map(({ name }) => name),
		find(name) {
			const adapter = adapters.find((one) => one.name === name);
			if (!adapter) return null;
			const { keyVariable, program, install } = adapter;
			return {
				agent: tools ? withBrowserTools(adapter, options, tools) : createCliAgent(adapter, options),
				requires: { variable: keyVariable, isSet: Boolean(config.environment[keyVariable]) },
				program: { name: program, install },
			};
		},
	};
}

/** The agent, with the browser's tools opened for each turn and closed after it. */
function withBrowserTools(
	adapter: CliAdapter,
	options: CliAgentOptions,
	tools: BrowserTools,
): Agent {
	return {
		...createCliAgent(adapter, options),
		async *run(turn) {
			const { server, close } = await openBrowserTools(tools, turn);
			try {
				return yield* createCliAgent(adapter, { ...options, mcp: () => server }).run(turn);
			} finally {
				// Without it they end by themselves some minutes later.
				await close().catch(() => {});
			}
		},
	};
}
