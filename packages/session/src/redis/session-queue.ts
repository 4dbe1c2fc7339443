/** Runs what is asked for one key after the other, and different keys side by side. */
export class SessionQueue {
	readonly #last = new Map<string, Promise<unknown>>();

	run<T>(key: string, action: () => Promise<T>): Promise<T> {
		const before = this.#last.get(key);
		const mine = before ? before.then(action, action) : action();
		this.#last.set(key, mine);
		const done = () => {
			if (this.#last.get(key) === mine) this.#last.delete(key);
		};
		mine.then(done, done);
		return mine;
	}
}
