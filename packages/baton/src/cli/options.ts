import { type ParseArgsConfig, parseArgs } from "node:util";

type Environment = Readonly<Record<string, string | undefined>>;

/** Options that are another way to write a setting. */
const SETTING_OPTIONS = {
	port: "BATON_PORT",
	host: "BATON_HOST",
	agent: "BATON_AGENT",
	"data-dir": "BATON_DATA_DIR",
	config: "BATON_CONFIG",
} as const;

export interface Options {
	help: boolean;
	json: boolean;
	dev: boolean;
	/** The environment, with the options over it. */
	env: Environment;
}

/** The command was written wrongly. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** Reads the options of a command: those for settings, and the switches it has itself. */
export function readOptions(
	args: readonly string[],
	switches: readonly ("json" | "dev")[],
	env: Environment,
): Options {
	const options: NonNullable<ParseArgsConfig["options"]> = {
		help: { type: "boolean", short: "h" },
	};
	for (const name of switches) options[name] = { type: "boolean" };
	for (const name of Object.keys(SETTING_OPTIONS)) options[name] = { type: "string" };
	const values = parse(args, options);
	const settings: Record<string, string> = {};
	for (const [option, variable] of Object.entries(SETTING_OPTIONS)) {
		const value = values[option];
		if (typeof value === "string") settings[variable] = value;
	}
	return {
		help: values.help === true,
		json: values.json === true,
		dev: values.dev === true,
		env: { ...env, ...settings },
	};
}

function parse(
	args: readonly string[],
	options: NonNullable<ParseArgsConfig["options"]>,
): Readonly<Record<string, unknown>> {
	try {
		return parseArgs({ args: [...args], options, allowPositionals: false }).values;
	} catch (error) {
		const [reason] = (error as Error).message.split(". ");
		throw new UsageError(`${reason}.`);
	}
}
