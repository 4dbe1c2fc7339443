import { AgentFailure } from "../agent";
import type { CliAdapter } from "./adapter";

const TAIL_LINES = 20;
const TAIL_CHARS = 2_000;

/** The last lines that a process wrote beside its events: what explains a failure. */
export class OutputTail {
	readonly #lines: string[] = [];

	push(line: string): void {
		this.#lines.push(line);
		if (this.#lines.length > TAIL_LINES) this.#lines.shift();
	}

	toString(): string {
		return this.#lines.join("\n").slice(-TAIL_CHARS);
	}
}

export function missingProgram({ title, program, install }: CliAdapter): AgentFailure {
	const message = `${title} is not installed: there is no program "${program}". Install it with: ${install}`;
	return new AgentFailure("missing_program", message);
}

export function missingKey({ title, keyVariable }: CliAdapter): AgentFailure {
	return new AgentFailure("missing_key", `${title} needs a key: set ${keyVariable}.`);
}

/** The CLI said itself that it failed. */
export function reportedFailure(
	{ title }: CliAdapter,
	reason: { message: string; retryable?: boolean },
): AgentFailure {
	const options = { retryable: reason.retryable ?? true };
	return new AgentFailure("agent", `${title} failed: ${reason.message}`, options);
}

/** The CLI ended without saying how its turn ended. */
export function endedEarly({ title }: CliAdapter, code: number, tail: string): AgentFailure {
	const how =
		code === 0
			? "ended without a result"
			: code > 128
				? `was ended by signal ${code - 128}`
				: `exited with code ${code}`;
	const why = tail === "" ? "It gave no reason." : `Its last words:\n${tail}`;
	return new AgentFailure("exit", `${title} ${how}. ${why}`, { retryable: true });
}
