import { ConfigError } from "../config/config-error";
import { StartError } from "../start/start-error";
import { VERSION } from "../version";
import { CommandError } from "./command-error";
import { EXIT } from "./exit-codes";
import { BENCH_HELP, CHAT_HELP, DOCTOR_HELP, HELP, START_HELP } from "./help";
import { readOptions, UsageError } from "./options";
import { sessionsHelp, sessionsHelpFor, sessionsOptions } from "./sessions-help";

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the command line. Resolves to the exit code, for `start` when the server has stopped. */
export async function main(
	args: readonly string[],
	env: Environment,
	home: string,
): Promise<number> {
	try {
		return await run(args, env, home);
	} catch (error) {
		if (error instanceof UsageError) {
			console.error(`baton: ${error.message}\n${helpFor(args)} shows what there is.`);
			return EXIT.misused;
		}
		if (error instanceof ConfigError) {
			console.error(`\n  Baton does not start. ${indent(error.message)}\n`);
			return EXIT.misused;
		}
		if (error instanceof CommandError) {
			console.error(`\n  ${indent(error.message)}\n`);
			return error.exitCode;
		}
		if (error instanceof StartError) {
			console.error(`\n  Baton does not start. ${indent(error.message)}\n`);
			return EXIT.failed;
		}
		// A mistake of ours. Its text is somebody else's, so secrets are looked for in it.
		const { secretValues } = await import("../config/secret-values");
		const { Scrubber } = await import("../log/scrubber");
		const scrubber = new Scrubber(secretValues([{ name: "environment", values: env }]));
		const text = (error instanceof Error && error.stack) || String(error);
		console.error(scrubber.scrub(`Baton failed: ${text}`));
		return EXIT.failed;
	}
}

async function run(args: readonly string[], env: Environment, home: string): Promise<number> {
	const [command, ...rest] = args;
	switch (command) {
		case "start": {
			const options = readOptions(rest, { switches: ["dev"] }, env);
			if (options.help) return say(START_HELP);
			const { startCommand } = await import("./start-command");
			return startCommand(options, home);
		}
		case "doctor": {
			const options = readOptions(rest, { switches: ["json"] }, env);
			if (options.help) return say(DOCTOR_HELP);
			const { doctorCommand } = await import("./doctor-command");
			return doctorCommand(options, home);
		}
		case "chat": {
			const own = { switches: ["new"], values: ["session", "url"] };
			const options = readOptions(rest, own, env);
			if (options.help) return say(CHAT_HELP);
			const { chatCommand } = await import("./chat-command");
			return chatCommand(options, home);
		}
		case "sessions": {
			const [name] = readOptions(rest, sessionsOptions(), env).words;
			const options = readOptions(rest, sessionsOptions(name), env);
			if (options.help) return say(sessionsHelp(name));
			const { sessionsCommand } = await import("./sessions-command");
			return sessionsCommand(options, home);
		}
		case "bench": {
			const own = { switches: ["quick", "json", "strict"], words: true, settings: false };
			if (readOptions(rest, own, env).help) return say(BENCH_HELP);
			const { benchCommand } = await import("./bench-command");
			return benchCommand(rest);
		}
		case "--version":
		case "-v":
			readOptions(rest, { settings: false }, env);
			return say(`${VERSION}\n`);
		case "help":
			return rest.length === 0 ? say(HELP) : run([...rest, "--help"], env, home);
		case undefined:
		case "--help":
		case "-h":
			readOptions(rest, { settings: false }, env);
			return say(HELP);
		default:
			throw new UsageError(`there is no command "${command}".`);
	}
}

/** What to type for the help that has the answer. */
function helpFor([command, ...rest]: readonly string[]): string {
	return command === "sessions" ? sessionsHelpFor(rest) : "baton --help";
}

function say(text: string): number {
	process.stdout.write(text);
	return EXIT.ok;
}

function indent(text: string): string {
	return text.replace(/\n(?=.)/g, "\n  ");
}
