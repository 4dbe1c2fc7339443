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
	/** The environment, with the options over it. */
	env: Environment;
	/** The command's own switches that are on, and its options that take a value. */
	switches: ReadonlySet<string>;
	values: Readonly<Record<string, string | undefined>>;
	/** Words without a dash. */
	words: readonly string[];
}

/** What a command takes. */
export interface OwnOptions {
	switches?: readonly string[];
	values?: readonly string[];
	/** Whether it takes words without a dash. */
	words?: boolean;
	/** Whether it takes the settings' options. Default: true. */
	settings?: boolean;
}

/** The command was written wrongly. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** Reads the options of a command: those for settings, and those it has itself. */
export function readOptions(
	args: readonly string[],
	{ switches = [], values: named = [], words = false, settings: hasSettings = true }: OwnOptions,
	env: Environment,
): Options {
	const options: NonNullable<ParseArgsConfig["options"]> = {
		help: { type: "boolean", short: "h" },
	};
	for (const name of switches) options[name] = { type: "boolean" };
	const forSettings = hasSettings ? Object.keys(SETTING_OPTIONS) : [];
	for (const name of [...named, ...forSettings]) options[name] = { type: "string" };
	const { values, positionals } = parse(args, options, words);
	const settings: Record<string, string> = {};
	for (const [option, variable] of Object.entries(SETTING_OPTIONS)) {
		const value = values[option];
		if (typeof value === "string") settings[variable] = value;
	}
	return {
		help: values.help === true,
		env: { ...env, ...settings },
		switches: new Set(switches.filter((name) => values[name] === true)),
		values: Object.fromEntries(named.map((name) => [name, values[name] as string | undefined])),
		words: positionals,
	};
}

function parse(
	args: readonly string[],
	options: NonNullable<ParseArgsConfig["options"]>,
	allowPositionals: boolean,
): { values: Readonly<Record<string, unknown>>; positionals: string[] } {
	try {
		return parseArgs({ args: [...args], options, allowPositionals });
	} catch (error) {
		const [reason] = (error as Error).message.split(". ");
		throw new UsageError(`${reason}.`);
	}
}
