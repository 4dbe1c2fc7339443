/** Why a command cannot do what it was asked to, in words for the person who asked. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}
