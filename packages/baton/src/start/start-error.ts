/** Why Baton does not start, in words for the person who started it: what happened, what to do. */
export class StartError extends Error {
	override readonly name = "StartError";
}
