import { readFileSync } from "node:fs";
import { readFile, rename, stat } from "node:fs/promises";
import type { StoredRecord } from "../driver";
import { fileError, orNull } from "./file-errors";
import type { FilesContext } from "./files-context";
import type { CachedEntry } from "./index-cache";
import { decodeMeta, encodeMeta } from "./meta-file";
import { replaceFile } from "./replace-file";

/** The meta files of a collection. */
export class RecordFiles {
	readonly #context: FilesContext;

	constructor(context: FilesContext) {
		this.#context = context;
	}

	/** Null when there is no meta file, "corrupt" when it is not a JSON object. */
	read(id: string): Promise<StoredRecord | null | "corrupt"> {
		return this.#read(id, (path) => readFile(path, "utf8"));
	}

	/** The same without a thread, for a file that the kernel has in memory. */
	readAtOnce(id: string): Promise<StoredRecord | null | "corrupt"> {
		return this.#read(id, async (path) => readFileSync(path, "utf8"));
	}

	/** `replaces`: the old value must survive a power failure until the new one is safe. */
	async write(record: StoredRecord, replaces: boolean): Promise<void> {
		const { paths, sync } = this.#context;
		const durable = sync.immediate || (replaces && sync.mode === "interval");
		await replaceFile(this.#context, paths.meta(record.id), encodeMeta(record), durable);
	}

	/** Makes a meta file of what is known without it: the log's times, and what the index says. */
	async rebuild(
		id: string,
		why: "lost-meta" | "corrupt-meta",
		logs: ReadonlyMap<string, number>,
		known: CachedEntry | undefined,
	): Promise<StoredRecord> {
		const { paths, report } = this.#context;
		const path = paths.meta(id);
		const times = await this.#timesOf(id, logs);
		let detail = "The meta file was missing";
		if (why === "corrupt-meta") {
			const aside = paths.badMeta(id, Date.now());
			await rename(path, aside).catch((error) => Promise.reject(fileError(error, path)));
			detail = `The meta file was not a JSON object and was moved to ${aside}`;
		}
		const createdAt = known?.createdAt ?? times.createdAt;
		const updatedAt = Math.max(times.updatedAt, createdAt);
		const record: StoredRecord = {
			id,
			json: JSON.stringify({ key: id, createdAt, updatedAt }),
			version: 1,
			aliases: known?.aliases ?? [],
			group: known?.group ?? "",
			ttlMs: known?.ttlMs ?? null,
			createdAt,
			updatedAt,
		};
		await this.write(record, false);
		report({ kind: why, path, detail: `${detail}; a new one was made` });
		return record;
	}

	/** When one of the session's files was last written, in Unix ms. */
	async lastWrite(id: string, logs: ReadonlyMap<string, number>): Promise<number> {
		const { paths } = this.#context;
		const files = [paths.meta(id), paths.journal(id)];
		for (const [log, first] of logs) files.push(paths.log(id, log, first));
		const found = await Promise.all(files.map((path) => orNull(stat(path))));
		return Math.max(0, ...found.map((file) => file?.mtimeMs ?? 0));
	}

	async #read(
		id: string,
		readText: (path: string) => Promise<string>,
	): Promise<StoredRecord | null | "corrupt"> {
		const path = this.#context.paths.meta(id);
		try {
			const text = await orNull(readText(path));
			if (text === null) return null;
			const record = decodeMeta(id, text, Number.NaN);
			if (!record) return "corrupt";
			if (!Number.isNaN(record.createdAt)) return record;
			const file = await orNull(stat(path));
			return file && decodeMeta(id, text, file.mtimeMs);
		} catch (error) {
			throw fileError(error, path);
		}
	}

	async #timesOf(id: string, logs: ReadonlyMap<string, number>) {
		const { paths } = this.#context;
		const found = await Promise.all(
			[...logs].map(([log, first]) => orNull(stat(paths.log(id, log, first)))),
		);
		const files = found.filter((file) => file !== null);
		const now = Date.now();
		// Some file systems know no birth time and say 0; a file made ahead is older than its session.
		const created = files.map((file) => file.birthtimeMs || file.mtimeMs);
		return {
			createdAt: Math.trunc(Math.min(now, ...created)),
			updatedAt: Math.trunc(files.length > 0 ? Math.max(...files.map((f) => f.mtimeMs)) : now),
		};
	}
}
