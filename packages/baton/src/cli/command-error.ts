import { EXIT } from "./exit-codes";

/** Why a command cannot do what it was asked to, in words for the person who asked. */
export class CommandError extends Error {
	override readonly name = "CommandError";
	readonly exitCode: number;

	constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
		const { exitCode = EXIT.failed, ...rest } = options;
		super(message, rest);
		this.exitCode = exitCode;
	}
}
