import { fileError } from "./file-errors";
import type { FilesContext } from "./files-context";
import { openOrCreate } from "./open-file";

/**
 * A file that grows by whole writes. It knows how long its good part is: what a failed write left
 * behind is cut off, at once or, where even that fails, before anything else is written.
 */
export class AppendFile {
	readonly path: string;
	#length: number;
	#hasExcess = false;
	readonly #context: FilesContext;

	constructor(context: FilesContext, path: string, length: number) {
		this.#context = context;
		this.path = path;
		this.#length = length;
	}

	get length(): number {
		return this.#length;
	}

	async write(bytes: Buffer): Promise<void> {
		await this.settle();
		const { handles, spares, sync } = this.#context;
		const isNew = this.#length === 0;
		const open = isNew ? (path: string) => spares.openNew(path) : openOrCreate;
		try {
			await handles.use(this.path, open, async (file) => {
				this.#hasExcess = true;
				await file.write(bytes, this.#length);
				if (sync.immediate) await file.datasync();
			});
			if (isNew) await sync.changedFolderOf(this.path);
		} catch (error) {
			await this.settle().catch(() => {});
			throw fileError(error, this.path);
		}
		this.#hasExcess = false;
		this.#length += bytes.length;
		sync.wrote(this.path);
	}

	/** Drops everything past `length`. */
	async cut(length: number): Promise<void> {
		this.#length = length;
		this.#hasExcess = true;
		await this.settle();
	}

	/** Makes sure that the file holds its good part and nothing else. */
	async settle(): Promise<void> {
		if (!this.#hasExcess) return;
		const { handles } = this.#context;
		try {
			await handles.use(this.path, openOrCreate, (file) => file.truncate(this.#length));
			this.#hasExcess = false;
		} catch (error) {
			handles.retire(this.path);
			throw fileError(error, this.path);
		}
	}
}
