/** How many things each owner has under way, so that one leaves room for the others. */
export class OwnerSlots {
	readonly #most: number;
	readonly #taken = new Map<string, number>();

	constructor(most: number) {
		this.#most = most;
	}

	/** False when the owner has as many as it may. */
	take(owner: string): boolean {
		const taken = this.#taken.get(owner) ?? 0;
		if (taken >= this.#most) return false;
		this.#taken.set(owner, taken + 1);
		return true;
	}

	leave(owner: string): void {
		const left = (this.#taken.get(owner) ?? 0) - 1;
		if (left > 0) this.#taken.set(owner, left);
		else this.#taken.delete(owner);
	}
}
