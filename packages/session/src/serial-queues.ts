/** Runs the tasks of one key one after the other, those of different keys side by side. */
export class SerialQueues {
	readonly #last = new Map<string, Promise<unknown>>();

	run<T>(key: string, task: () => Promise<T>): Promise<T> {
		const before = this.#last.get(key);
		const result = before ? before.then(task) : task();
		const settled = result.then(noop, noop);
		this.#last.set(key, settled);
		void settled.then(() => {
			if (this.#last.get(key) === settled) this.#last.delete(key);
		});
		return result;
	}

	isIdle(key: string): boolean {
		return !this.#last.has(key);
	}

	/** Resolves when nothing runs and nothing waits. */
	async drained(): Promise<void> {
		while (this.#last.size > 0) await Promise.all(this.#last.values());
	}
}

function noop(): void {}
