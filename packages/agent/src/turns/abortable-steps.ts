/**
 * Awaits one promise after the other, and gives up on the one at hand when `giveUp` is called. It
 * hangs nothing on a long-lived promise, so a million steps leave nothing behind.
 */
export class AbortableSteps {
	#reject: ((reason: unknown) => void) | null = null;
	#reason: unknown;
	#gaveUp = false;

	giveUp(reason: unknown): void {
		this.#gaveUp = true;
		this.#reason = reason;
		this.#reject?.(reason);
	}

	step<T>(promise: Promise<T>): Promise<T> {
		if (this.#gaveUp) {
			promise.catch(() => {});
			return Promise.reject(this.#reason);
		}
		return new Promise((resolve, reject) => {
			this.#reject = reject;
			promise.then(resolve, reject);
		});
	}
}
