import type { ActionCode } from "../../types";

/** Why an action was not applied. It is `failed` when it was tried, else `skipped`. */
export class Refusal extends Error {
	override readonly name = "Refusal";
	readonly code: ActionCode;
	readonly tried: boolean;

	constructor(code: ActionCode, message: string, tried = false) {
		super(message);
		this.code = code;
		this.tried = tried;
	}
}

export function notKept(): Refusal {
	return new Refusal("value-not-kept", "The page did not keep the value.", true);
}
