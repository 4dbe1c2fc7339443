/** One thing that is wrong with the configuration. */
export interface ConfigProblem {
	/** The setting's variable, or the file. */
	name: string;
	reason: string;
	/** Where the value came from: "environment" or the path of the file. */
	source?: string;
}

/** The configuration cannot be used. Holds everything that is wrong with it, not only the first. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
	readonly problems: readonly ConfigProblem[];

	constructor(problems: readonly ConfigProblem[]) {
		super(describe(problems));
		this.problems = problems;
	}
}

function describe(problems: readonly ConfigProblem[]): string {
	const width = Math.max(...problems.map(({ name }) => name.length));
	const lines = problems.map(
		({ name, reason, source }) =>
			`  ${name.padEnd(width)}  ${reason}${source ? `  (${source})` : ""}`,
	);
	const count = problems.length === 1 ? "One setting is" : `${problems.length} settings are`;
	return `${count} wrong:\n\n${lines.join("\n")}\n\nAll settings: docs/configuration.md`;
}
