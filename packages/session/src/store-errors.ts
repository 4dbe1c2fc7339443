import { BatonError } from "./errors";
import type { RegisterSwap } from "./port";

/* Errors that every driver raises, in one wording. */

export function notFound(id: string): BatonError {
	return new BatonError("not_found", `Session "${id}" does not exist, was deleted, or expired.`);
}

export function idInUse(id: string): BatonError {
	return new BatonError("already_exists", `A session with the id "${id}" exists already.`);
}

export function aliasInUse(alias: string): BatonError {
	return new BatonError("already_exists", `The alias "${alias}" belongs to another session.`);
}

export function keyReused(key: string): BatonError {
	return new BatonError(
		"conflict",
		`The idempotency key "${key}" was used with another body; use a new key for new content.`,
	);
}

export function swapFailed(swap: RegisterSwap, found: string | null): BatonError {
	const say = (value: string | null) => (value === null ? "empty" : `"${value}"`);
	return new BatonError(
		"conflict",
		`Register "${swap.register}" is ${say(found)}, not ${say(swap.from)}; nothing was written.`,
	);
}

export function movedOn(log: string, expected: number, last: number): BatonError {
	return new BatonError(
		"conflict",
		`The log "${log}" ends at ${last}, not at ${expected}; nothing was written.`,
	);
}

export function storeClosed(): BatonError {
	return new BatonError("closed", "The store was closed.");
}
