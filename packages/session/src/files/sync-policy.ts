import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { fileError, hasCode } from "./file-errors";
import { mapLimited } from "./map-limited";
import type { FilesSettings } from "./options";
import type { ReportProblem } from "./problem";

const INTERVAL_MS = 1_000;
/** One at a time while others write: syncing holds up the device, and a thread of the few there are. */
const WIDTH = 1;
const WIDTH_AT_CLOSE = 16;

/** When data is forced onto the device (`fsync` in the options). */
export class SyncPolicy {
	readonly mode: FilesSettings["fsync"];
	readonly #report: ReportProblem;
	readonly #dirty = new Set<string>();
	#timer: NodeJS.Timeout | null = null;
	#running: Promise<void> = Promise.resolve();

	constructor(mode: FilesSettings["fsync"], report: ReportProblem) {
		this.mode = mode;
		this.#report = report;
	}

	/** True: the caller syncs what it wrote before it acknowledges it. */
	get immediate(): boolean {
		return this.mode === "always";
	}

	/** A file was written and not synced by the caller. */
	wrote(path: string): void {
		if (this.mode !== "interval") return;
		this.#dirty.add(path);
		this.#timer ??= setTimeout(() => {
			this.#timer = null;
			this.#running = this.#running.then(() => this.#flush(WIDTH));
		}, INTERVAL_MS).unref();
	}

	/** A file appeared in its folder, moved, or went away: the folder is what must be synced. */
	async changedFolderOf(path: string): Promise<void> {
		const folder = dirname(path);
		if (this.immediate) await syncPath(folder);
		else this.wrote(folder);
	}

	async close(): Promise<void> {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		await Promise.all([this.#running, this.#flush(WIDTH_AT_CLOSE)]);
	}

	async #flush(width: number): Promise<void> {
		const paths = [...this.#dirty];
		await mapLimited(paths, width, async (path) => {
			// Off the list before it is synced, so that a write meanwhile puts it back on.
			if (!this.#dirty.delete(path)) return;
			try {
				await syncPath(path);
			} catch (error) {
				this.#report({ kind: "sync-failed", path, detail: fileError(error, path).message });
			}
		});
	}
}

async function syncPath(path: string): Promise<void> {
	try {
		const handle = await open(path, "r");
		try {
			await handle.datasync();
		} finally {
			await handle.close();
		}
	} catch (error) {
		// Gone since: its removal is what counts. EINVAL: a file system that cannot sync folders.
		if (!hasCode(error, "ENOENT", "EINVAL")) throw error;
	}
}
