import type { CliAdapter } from "../adapter";
import { geminiArguments, geminiSettings } from "./gemini-arguments";
import { mapGeminiLine } from "./map-gemini-line";

/** What it says at every start, and the stack traces of errors whose message is passed on. */
const NOISE =
	/^YOLO mode is enabled|^Ripgrep is not available|^\[STARTUP\]|256-color support|^\s+at |^Loaded cached credentials/;

/** Google's Gemini CLI. Tried with 0.61. */
export function geminiCli(): CliAdapter {
	return {
		name: "gemini",
		title: "The Gemini CLI",
		program: "gemini",
		install: "npm install -g @google/gemini-cli",
		keyVariable: "GEMINI_API_KEY",
		variables: ["GOOGLE_GEMINI_BASE_URL", "GEMINI_MODEL"],
		// Otherwise it starts itself a second time to get more memory.
		env: () => ({ GEMINI_CLI_NO_RELAUNCH: "true", NO_COLOR: "1" }),
		args: geminiArguments,
		homeFiles: (call) => [geminiSettings(call)],
		createMapper: () => mapGeminiLine,
		isNoise: (line) => NOISE.test(line),
		isSessionLost: (reason) => /Error resuming session|No previous sessions found/i.test(reason),
	};
}
