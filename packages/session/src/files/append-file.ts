import { fileError } from "./file-errors";
import type { OpenHandles } from "./open-handles";
import type { SyncPolicy } from "./sync-policy";

/**
 * A file that grows by whole writes. It knows how long its good part is: what a failed write left
 * behind is cut off, at once or, where even that fails, before anything else is written.
 */
export class AppendFile {
	readonly path: string;
	#length: number;
	#hasExcess = false;
	readonly #handles: OpenHandles;
	readonly #sync: SyncPolicy;

	constructor(path: string, length: number, handles: OpenHandles, sync: SyncPolicy) {
		this.path = path;
		this.#length = length;
		this.#handles = handles;
		this.#sync = sync;
	}

	get length(): number {
		return this.#length;
	}

	async write(bytes: Buffer): Promise<void> {
		await this.settle();
		const isNew = this.#length === 0;
		try {
			await this.#handles.use(this.path, "create", async (handle) => {
				this.#hasExcess = true;
				for (let done = 0; done < bytes.length; ) {
					const { bytesWritten } = await handle.write(
						bytes,
						done,
						bytes.length - done,
						this.#length + done,
					);
					done += bytesWritten;
				}
				if (this.#sync.immediate) await handle.datasync();
			});
			if (isNew) await this.#sync.changedFolderOf(this.path);
		} catch (error) {
			await this.settle().catch(() => {});
			throw fileError(error, this.path);
		}
		this.#hasExcess = false;
		this.#length += bytes.length;
		this.#sync.wrote(this.path);
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
		try {
			await this.#handles.use(this.path, "create", (handle) => handle.truncate(this.#length));
			this.#hasExcess = false;
		} catch (error) {
			this.#handles.retire(this.path);
			throw fileError(error, this.path);
		}
	}
}
