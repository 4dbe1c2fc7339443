import { storeClosed } from "../store-errors";
import type { OpenFile } from "./open-file";

interface Slot {
	readonly path: string;
	readonly opening: Promise<OpenFile>;
	file: OpenFile | null;
	users: number;
	retired: boolean;
	usedAt: number;
}

/**
 * Files kept open between uses, the least recently used closed first. A task must not use a second file
 * inside the first: with all of them taken it would wait for itself.
 */
export class OpenHandles {
	readonly #max: number;
	/** In the order of use, oldest first. */
	readonly #slots = new Map<string, Slot>();
	readonly #closing = new Set<Promise<void>>();
	readonly #waiting: (() => void)[] = [];
	#closed = false;

	constructor(max: number) {
		this.#max = max;
	}

	async use<T>(
		path: string,
		/** Opens the file, where it is not open. */
		open: (path: string) => Promise<OpenFile>,
		task: (file: OpenFile) => Promise<T>,
	): Promise<T> {
		const slot = await this.#acquire(path, open);
		try {
			return await task(slot.file ?? (await slot.opening));
		} finally {
			this.#release(slot);
		}
	}

	/** Closes the handle of a file that is renamed, removed or suspect, once nobody uses it. */
	retire(path: string): void {
		const slot = this.#slots.get(path);
		if (!slot) return;
		this.#slots.delete(path);
		slot.retired = true;
		if (slot.users === 0) this.#close(slot);
		this.#next();
	}

	/** Closes the handles that nobody used for this long. */
	closeIdle(ms: number): void {
		const before = performance.now() - ms;
		for (const slot of [...this.#slots.values()]) {
			if (slot.users === 0 && slot.usedAt < before) this.retire(slot.path);
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		for (const path of [...this.#slots.keys()]) this.retire(path);
		while (this.#waiting.length > 0) this.#next();
		while (this.#closing.size > 0) await Promise.all(this.#closing);
	}

	async #acquire(path: string, open: (path: string) => Promise<OpenFile>): Promise<Slot> {
		for (;;) {
			if (this.#closed) throw storeClosed();
			const known = this.#slots.get(path);
			if (known) {
				known.users++;
				this.#slots.delete(path);
				this.#slots.set(path, known);
				return known;
			}
			if (this.#slots.size < this.#max || this.#closeOldest()) return this.#open(path, open(path));
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
			// Whoever is woken may find its file open and need no place: the next one gets its turn.
			if (this.#slots.has(path)) this.#next();
		}
	}

	async #open(path: string, opening: Promise<OpenFile>): Promise<Slot> {
		const slot: Slot = { path, opening, file: null, users: 1, retired: false, usedAt: 0 };
		this.#slots.set(path, slot);
		try {
			slot.file = await opening;
			return slot;
		} catch (error) {
			if (this.#slots.get(path) === slot) this.#slots.delete(path);
			slot.retired = true;
			this.#release(slot);
			throw error;
		}
	}

	#release(slot: Slot): void {
		slot.users--;
		slot.usedAt = performance.now();
		if (slot.users > 0) return;
		if (slot.retired) this.#close(slot);
		this.#next();
	}

	#closeOldest(): boolean {
		for (const slot of this.#slots.values()) {
			if (slot.users > 0) continue;
			this.#slots.delete(slot.path);
			this.#close(slot);
			return true;
		}
		return false;
	}

	#close(slot: Slot): void {
		const { file } = slot;
		if (!file) return;
		slot.file = null;
		// The descriptor is free all the same; what was written was acknowledged when it was.
		const closing = file.close().catch(() => {});
		this.#closing.add(closing);
		void closing.then(() => this.#closing.delete(closing));
	}

	/** There is a place, or one to be freed: the one who has waited longest looks again. */
	#next(): void {
		this.#waiting.shift()?.();
	}
}
