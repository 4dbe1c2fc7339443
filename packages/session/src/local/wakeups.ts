import type { Wake } from "../driver";

type Listener = (wake: Wake) => void;

/** Who wants to know of appends, by log, inside one process. */
export class Wakeups {
	readonly #listeners = new Map<string, Set<Listener>>();

	watch(key: string, listener: Listener): () => void {
		let listeners = this.#listeners.get(key);
		if (!listeners) {
			listeners = new Set();
			this.#listeners.set(key, listeners);
		}
		listeners.add(listener);
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0 && this.#listeners.get(key) === listeners)
				this.#listeners.delete(key);
		};
	}

	wake(key: string, wake: Wake): void {
		for (const listener of this.#listeners.get(key) ?? []) listener(wake);
	}

	wakeAll(wake: Wake): void {
		for (const key of this.#listeners.keys()) this.wake(key, wake);
	}
}
