import { BatonError } from "@baton/session";

export function noMapping(contextId: string): BatonError {
	return new BatonError("not_found", `There is no Agentforce session for context "${contextId}".`);
}

export function taskInUse(taskId: string): BatonError {
	return new BatonError("already_exists", `Task "${taskId}" belongs to another context.`);
}

export function isHeld(contextId: string): BatonError {
	return new BatonError(
		"busy",
		`Another request to the Agentforce session of context "${contextId}" takes too long; try again later.`,
	);
}
