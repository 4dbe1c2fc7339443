import { renameSync, statSync, unlinkSync } from "node:fs";
import type { CollectionPaths } from "./collection-paths";
import { createFile, type OpenFile, openOrCreate } from "./open-file";

/** A new session takes up to four at once: its record, its journal and two logs. */
const KEPT = 8;
/** Files are made anew when those who took them have what they waited for. */
const REFILL_MS = 100;

interface TempFile {
	readonly path: string;
	readonly file: OpenFile;
}

interface Spare extends TempFile {
	readonly inode: number;
}

/**
 * Empty files made ahead. To make one takes longer than all else that a small record or the first
 * event of a log needs, and nobody has to wait for it. What a killed process leaves of them is
 * cleared with the other temp files at the next start.
 */
export class SpareFiles {
	readonly #paths: CollectionPaths;
	readonly #spares: Spare[] = [];
	#timer: NodeJS.Timeout | null = null;
	#filling: Promise<void> = Promise.resolve();
	#closed = false;

	constructor(paths: CollectionPaths) {
		this.#paths = paths;
	}

	/** A file of its own for the caller, which renames or removes it. */
	async take(): Promise<TempFile> {
		const spare = this.#takeSpare();
		if (spare) return spare;
		const path = this.#paths.nextTemp();
		return { path, file: await createFile(path) };
	}

	/** Opens a file that is not there, or is there and empty. */
	async openNew(path: string): Promise<OpenFile> {
		const spare = this.#takeSpare();
		if (!spare) return openOrCreate(path);
		try {
			renameSync(spare.path, path);
			return spare.file;
		} catch (error) {
			spare.file.closeAtOnce();
			removeTemp(spare.path);
			throw error;
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		if (this.#timer) clearTimeout(this.#timer);
		await this.#filling;
		for (const { path, file } of this.#spares.splice(0)) {
			await file.close().catch(() => {});
			removeTemp(path);
		}
	}

	#takeSpare(): Spare | undefined {
		if (!this.#closed) {
			this.#timer ??= setTimeout(() => {
				this.#timer = null;
				this.#filling = this.#filling.then(() => this.#fill());
			}, REFILL_MS).unref();
		}
		for (let spare = this.#spares.pop(); spare; spare = this.#spares.pop()) {
			const found = statSync(spare.path, { throwIfNoEntry: false });
			if (found?.ino === spare.inode) return spare;
			// Someone has tidied up: what is written to it now would be in no folder.
			spare.file.closeAtOnce();
		}
		return undefined;
	}

	/** A folder that cannot take them is met, and told, by whoever writes next. */
	async #fill(): Promise<void> {
		try {
			while (!this.#closed && this.#spares.length < KEPT) {
				const path = this.#paths.nextTemp();
				const file = await createFile(path);
				this.#spares.push({ path, file, inode: await file.inode() });
			}
		} catch {}
	}
}

export function removeTemp(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// Cleared at the next start.
	}
}
