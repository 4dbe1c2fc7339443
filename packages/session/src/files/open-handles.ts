import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { storeClosed } from "../store-errors";
import { hasCode } from "./file-errors";

interface Slot {
	readonly path: string;
	readonly opening: Promise<FileHandle>;
	handle: FileHandle | null;
	users: number;
	retired: boolean;
	usedAt: number;
}

/**
 * File handles kept open between uses, the least recently used closed first. All reads and writes
 * give their position, so one handle serves many users at once. A task must not use a second handle
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
		mode: "create" | "existing",
		task: (handle: FileHandle) => Promise<T>,
	): Promise<T> {
		const slot = await this.#acquire(path, mode === "create");
		try {
			return await task(slot.handle ?? (await slot.opening));
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

	async #acquire(path: string, create: boolean): Promise<Slot> {
		for (;;) {
			if (this.#closed) throw storeClosed();
			const known = this.#slots.get(path);
			if (known) {
				known.users++;
				this.#slots.delete(path);
				this.#slots.set(path, known);
				return known;
			}
			if (this.#slots.size < this.#max || this.#closeOldest()) return this.#open(path, create);
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
			// Whoever is woken may find its file open and need no place: the next one gets its turn.
			if (this.#slots.has(path)) this.#next();
		}
	}

	async #open(path: string, create: boolean): Promise<Slot> {
		const opening = openFile(path, create);
		const slot = { path, opening, handle: null, users: 1, retired: false, usedAt: 0 } as Slot;
		this.#slots.set(path, slot);
		try {
			slot.handle = await opening;
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
		const handle = slot.handle;
		if (!handle) return;
		slot.handle = null;
		const closing = handle.close().catch(() => {});
		this.#closing.add(closing);
		void closing.then(() => this.#closing.delete(closing));
	}

	/** There is a place, or one to be freed: the one who has waited longest looks again. */
	#next(): void {
		this.#waiting.shift()?.();
	}
}

async function openFile(path: string, create: boolean): Promise<FileHandle> {
	const { O_RDWR, O_CREAT, O_RDONLY } = constants;
	try {
		return await open(path, create ? O_RDWR | O_CREAT : O_RDWR, 0o600);
	} catch (error) {
		// A folder that became read-only can still be read.
		if (!create && hasCode(error, "EROFS", "EACCES", "EPERM")) return open(path, O_RDONLY);
		throw error;
	}
}
