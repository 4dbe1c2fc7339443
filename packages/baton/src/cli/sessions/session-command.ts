import type { OpenedSessions } from "../../sessions/open-sessions";
import { SessionsError } from "../../sessions/sessions-client";
import { CommandError } from "../command-error";
import { EXIT } from "../exit-codes";
import { type Options, UsageError } from "../options";

/**
 * One thing that can be done with sessions. It looks at its options first, and throws when they make no
 * sense, before anything is opened; what it then prints goes to standard output.
 */
export type SessionCommand = (options: Options) => (sessions: OpenedSessions) => Promise<number>;

/** The session that a command is about. */
export function oneId({ words }: Options, command: string): string {
	const [id, ...more] = words;
	if (id === undefined || more.length > 0) {
		throw new UsageError(`baton sessions ${command} takes one session's id; list shows them.`);
	}
	return id;
}

/** A number that an option gives. */
export function countOf(value: string | undefined, name: string, fallback: number): number {
	if (value === undefined) return fallback;
	if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} takes a number.`);
	return Number(value);
}

export function printJson(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A refusal, in words for the person who asked. */
export function explain(error: unknown, id = ""): CommandError {
	if (error instanceof SessionsError && error.status === 400) {
		return new CommandError(error.message, { exitCode: EXIT.misused });
	}
	if (error instanceof SessionsError && error.status === 404) {
		return new CommandError(`There is no session "${id}" of yours.`, { exitCode: EXIT.notFound });
	}
	return new CommandError((error as Error).message, { cause: error });
}
