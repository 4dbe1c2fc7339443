/** Where this folder reports what it cannot tell a caller. */
export interface SessionLog {
	info(details: Record<string, unknown>, message: string): void;
	warn(details: Record<string, unknown>, message: string): void;
}

const write = (level: string) => (details: Record<string, unknown>, message: string) => {
	const { error, ...rest } = details;
	const line = { level, ...rest, ...(error instanceof Error && { error: error.message }), message };
	process.stderr.write(`${JSON.stringify(line)}\n`);
};

/** One JSON object a line, on standard error: for callers that bring no log. */
export const stderrLog: SessionLog = { info: write("info"), warn: write("warn") };
