import type { CliAdapter } from "../adapter";
import { codexArguments, codexConfig } from "./codex-arguments";
import { createCodexMapper } from "./map-codex-line";

const NOISE = /^Reading (additional input|prompt) from stdin|could not create PATH aliases/;

/** OpenAI's Codex CLI. Tried with 0.166. */
export function codexCli(): CliAdapter {
	return {
		name: "codex",
		title: "The Codex CLI",
		program: "codex",
		install: "npm install -g @openai/codex",
		keyVariable: "OPENAI_API_KEY",
		variables: ["OPENAI_BASE_URL"],
		// The name under which `codex exec` takes a key without a login.
		env: ({ OPENAI_API_KEY = "" }) => ({ CODEX_API_KEY: OPENAI_API_KEY }),
		args: codexArguments,
		homeFiles: (call, env) => [codexConfig(call, env)],
		createMapper: createCodexMapper,
		isNoise: (line) => NOISE.test(line),
		isSessionLost: (reason) => /no rollout found/i.test(reason),
	};
}
