import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type FakeGemini, type FakeGeminiScript, startFakeGemini, tempDir } from "@baton/testkit";
import { type CliAgentOptions, createCliAgent, geminiCli } from "../../src/cli";

const manifest = createRequire(import.meta.url).resolve("@google/gemini-cli/package.json");

/** The real Gemini CLI, as it is installed for the tests. */
const GEMINI_COMMAND = [process.execPath, join(dirname(manifest), "bundle", "gemini.js")] as const;

export const GEMINI_MODEL = "gemini-2.5-flash";
export const GEMINI_KEY = "test-key-that-no-one-may-see";

/** What the real Gemini CLI needs to talk to a model endpoint on loopback. */
export function geminiOptions(sandboxRoot: string, url: string): CliAgentOptions {
	return {
		sandboxRoot,
		command: GEMINI_COMMAND,
		model: GEMINI_MODEL,
		env: { PATH: process.env.PATH, GEMINI_API_KEY: GEMINI_KEY, GOOGLE_GEMINI_BASE_URL: url },
	};
}

/** An agent on the real Gemini CLI, and the model endpoint it talks to. */
export async function startGemini(
	script: FakeGeminiScript,
	options: Partial<CliAgentOptions> = {},
) {
	const model: FakeGemini = await startFakeGemini(script);
	const folder = await tempDir("baton-gemini");
	const settings = { ...geminiOptions(folder.path, model.url), ...options };
	return {
		model,
		folder: folder.path,
		agent: createCliAgent(geminiCli(), settings),
		async stop() {
			await model.stop();
			await folder.remove();
		},
	};
}
