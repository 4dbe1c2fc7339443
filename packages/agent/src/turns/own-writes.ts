import type { Appended } from "@baton/session";

/**
 * Whether anyone but its runner has written to a log since the runner knew all of it. While nobody
 * has, the runner knows what is open, and that no request waits, without a look.
 */
export class OwnWrites {
	#last: number | null;

	/** `last` is where the log ended when the runner knew all of it; null: it does not. */
	constructor(last: number | null) {
		this.#last = last;
	}

	/** Where the log ends unless someone writes right now; null when someone has written. */
	get last(): number | null {
		return this.#last;
	}

	/** The runner has appended. */
	note({ first, last }: Pick<Appended, "first" | "last">): void {
		this.#last = this.#last !== null && first === this.#last + 1 ? last : null;
	}
}
