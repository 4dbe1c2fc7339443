import { join } from "node:path";
import { tempDir } from "@baton/testkit";
import { type CliAdapter, type CliAgentOptions, createCliAgent, geminiCli } from "../../src/cli";

export type FakeStep =
	| { line: unknown }
	| { raw: string }
	| { file: string }
	| { stderr: string }
	| { flood: number }
	| { record: string }
	| { escape: string }
	| { deaf: true }
	| { save: string }
	| { wait: number }
	| { exit: number };

export const KEY = "key-that-no-one-may-see";
export const INIT = { type: "init", session_id: "cli-1", model: "fake-model" };
export const RESULT = { type: "result", status: "success", stats: { total_tokens: 3 } };
export const said = (content: string) => ({
	type: "message",
	role: "assistant",
	content,
	delta: true,
});

/** An agent whose program does the steps it is given. */
export async function fakeAgent(
	steps: FakeStep[],
	options: Partial<CliAgentOptions> = {},
	adapter: CliAdapter = geminiCli(),
) {
	const folder = await tempDir("baton-cli");
	const agent = createCliAgent(adapter, {
		sandboxRoot: folder.path,
		command: [process.execPath, join(import.meta.dirname, "fake-cli.mjs")],
		env: { PATH: process.env.PATH, [adapter.keyVariable]: KEY, SECRET_OF_THE_HOST: "x" },
		...options,
		extraEnv: { FAKE_CLI: JSON.stringify(steps), ...options.extraEnv },
	});
	return { agent, folder: folder.path };
}
