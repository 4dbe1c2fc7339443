/** What one run of a command-line agent may use. */
export interface CliLimits {
	/** Milliseconds from start to end. */
	wallMs: number;
	/** Milliseconds without a line of output, while no tool of the agent is running. */
	silenceMs: number;
	/** Bytes of standard output and standard error together. */
	outputBytes: number;
	/** Bytes of one line of standard output. */
	lineBytes: number;
	/** Characters of standard error that are passed on; the rest is only counted. */
	stderrChars: number;
}

export const DEFAULT_LIMITS: CliLimits = {
	wallMs: 10 * 60_000,
	silenceMs: 3 * 60_000,
	outputBytes: 64 * 1024 * 1024,
	lineBytes: 8 * 1024 * 1024,
	stderrChars: 64 * 1024,
};
