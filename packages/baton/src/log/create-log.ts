import { pino } from "pino";
import type { Log } from "./log";
import { prettyLine } from "./pretty-line";
import type { Scrubber } from "./scrubber";
import { withoutSecretFields } from "./without-secret-fields";

interface LogOptions {
	level: string;
	scrubber: Scrubber;
	/** Gets whole lines. Default: standard error, in a form for people if that is a terminal. */
	write?: (line: string) => void;
}

/**
 * A log of JSON lines. Secrets are removed twice: fields by their names, and then, whatever was
 * logged and however it got there, from the finished line.
 */
export function createLog({ level, scrubber, write = writeToStderr }: LogOptions): Log {
	return pino(
		{
			level,
			base: null,
			timestamp: () => `,"time":"${new Date().toISOString()}"`,
			formatters: {
				level: (label) => ({ level: label }),
				log: (details) => withoutSecretFields(details) as Record<string, unknown>,
			},
		},
		{ write: (line: string) => write(scrubber.scrub(line)) },
	);
}

function writeToStderr(line: string): void {
	process.stderr.write(process.stderr.isTTY ? prettyLine(line) : line);
}
