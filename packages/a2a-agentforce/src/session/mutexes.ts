import { abortable } from "../abortable";

/** One holder for each key at a time, in the order of asking. */
export class Mutexes {
	readonly #last = new Map<string, Promise<void>>();

	/** Waits for the key. Returns what gives it back; rejects with the signal's reason. */
	async lock(key: string, signal?: AbortSignal): Promise<() => void> {
		const before = this.#last.get(key) ?? Promise.resolve();
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const last = before.then(() => held);
		this.#last.set(key, last);
		void last.then(() => {
			if (this.#last.get(key) === last) this.#last.delete(key);
		});
		try {
			await abortable(before, signal);
		} catch (reason) {
			release();
			throw reason;
		}
		return release;
	}

	async run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const release = await this.lock(key);
		try {
			return await work();
		} finally {
			release();
		}
	}
}
