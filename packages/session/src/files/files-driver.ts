import { access, constants, mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { CollectionDriver, StoreDriver } from "../driver";
import { BatonError } from "../errors";
import { storeClosed } from "../store-errors";
import { CollectionPaths } from "./collection-paths";
import { lockDataFolder } from "./data-folder-lock";
import { fileError, hasCode } from "./file-errors";
import { FilesCollection } from "./files-collection";
import { OpenHandles } from "./open-handles";
import type { FilesSettings } from "./options";
import { bootId } from "./process-identity";
import { SpareFiles } from "./spare-files";
import { SyncPolicy } from "./sync-policy";

const MAX_HANDLES = 256;
const HANDLE_IDLE_MS = 60_000;

export class FilesDriver implements StoreDriver {
	readonly name = "files";
	readonly #dir: string;
	readonly #settings: FilesSettings;
	readonly #boot: string | null;
	readonly #unlock: () => Promise<void>;
	readonly #handles = new OpenHandles(MAX_HANDLES);
	readonly #sync: SyncPolicy;
	readonly #collections: FilesCollection[] = [];
	readonly #sweeper: NodeJS.Timeout;
	#closing: Promise<void> | null = null;

	private constructor(
		dir: string,
		settings: FilesSettings,
		boot: string | null,
		unlock: () => Promise<void>,
	) {
		this.#dir = dir;
		this.#settings = settings;
		this.#boot = boot;
		this.#unlock = unlock;
		this.#sync = new SyncPolicy(settings.fsync, settings.onProblem);
		this.#sweeper = setInterval(() => this.#sweep(), settings.sweepMs).unref();
	}

	/** Makes the folder if need be, and becomes its owner. */
	static async open(settings: FilesSettings): Promise<FilesDriver> {
		const dir = resolve(settings.dir);
		try {
			await makeFolder(dir);
		} catch (error) {
			throw fileError(error, dir);
		}
		const unlock = await lockDataFolder(dir);
		return new FilesDriver(dir, settings, await bootId(), unlock);
	}

	collection(name: string): CollectionDriver {
		const paths = new CollectionPaths(this.#dir, name);
		const context = {
			paths,
			handles: this.#handles,
			spares: new SpareFiles(paths),
			sync: this.#sync,
			report: this.#settings.onProblem,
		};
		const collection = new FilesCollection(context, this.#boot);
		this.#collections.push(collection);
		return collection;
	}

	async check(): Promise<void> {
		if (this.#closing) throw storeClosed();
		try {
			await access(this.#dir, constants.R_OK | constants.W_OK);
		} catch (cause) {
			const { message } = fileError(cause, this.#dir);
			throw new BatonError("unavailable", message, { cause });
		}
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		clearInterval(this.#sweeper);
		await Promise.all(this.#collections.map((collection) => collection.close()));
		await this.#handles.close();
		await this.#sync.close();
		await this.#unlock();
	}

	#sweep(): void {
		this.#handles.closeIdle(HANDLE_IDLE_MS);
		for (const collection of this.#collections) void collection.sweep().catch(() => {});
	}
}

/** Not `recursive`, which says "no such file" where it means that the file system is read-only. */
async function makeFolder(dir: string): Promise<void> {
	try {
		await mkdir(dir, { mode: 0o700 });
	} catch (error) {
		if (hasCode(error, "EEXIST")) return;
		if (!hasCode(error, "ENOENT") || dirname(dir) === dir) throw error;
		await makeFolder(dirname(dir));
		await makeFolder(dir);
	}
}
