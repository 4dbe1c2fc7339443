/**
 * Keeps admissions and the settling of a session apart, within this process: a runner that looks for
 * open turns and then moves the alarm away must not do so over an input that is being stored. Any
 * number of inputs may be admitted at once.
 */
export class SettleGate {
	readonly #admitting = new Map<string, Set<Promise<unknown>>>();
	readonly #settling = new Map<string, Promise<unknown>>();

	async admit<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
		for (let other = this.#settling.get(sessionId); other; other = this.#settling.get(sessionId)) {
			await other;
		}
		const admission = work();
		const ended = admission.catch(() => {});
		const all = this.#admitting.get(sessionId) ?? new Set();
		this.#admitting.set(sessionId, all.add(ended));
		try {
			return await admission;
		} finally {
			all.delete(ended);
			if (all.size === 0) this.#admitting.delete(sessionId);
		}
	}

	/** One at a time for each session, which its lease sees to. */
	async settle<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
		const admitted = Promise.all(this.#admitting.get(sessionId) ?? []);
		const settlement = admitted.then(work);
		const ended = settlement.catch(() => {});
		this.#settling.set(sessionId, ended);
		try {
			return await settlement;
		} finally {
			if (this.#settling.get(sessionId) === ended) this.#settling.delete(sessionId);
		}
	}
}
