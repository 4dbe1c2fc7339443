import { readdir, rename, unlink } from "node:fs/promises";
import { fileError, orNull } from "./file-errors";
import type { FilesContext } from "./files-context";
import type { FoundSession } from "./scan-folder";

/** The point of no return: without its meta file in the folder the session is gone. */
export async function markRemoved({ paths, sync }: FilesContext, id: string): Promise<void> {
	try {
		await orNull(rename(paths.meta(id), paths.tombstone(id)));
		await sync.changedFolderOf(paths.meta(id));
		await sync.changedFolderOf(paths.tombstone(id));
	} catch (error) {
		throw fileError(error, paths.meta(id));
	}
}

/** Removes what is left of a session, the mark last, so that a start finishes what a crash cut short. */
export async function removeFiles(
	{ paths, handles }: FilesContext,
	id: string,
	logs: ReadonlyMap<string, number>,
): Promise<void> {
	const files = [paths.journal(id)];
	for (const [log, first] of logs) {
		files.push(paths.log(id, log, first), paths.offsets(id, log), paths.badLines(id, log));
	}
	files.push(paths.tombstone(id));
	for (const path of files) {
		handles.retire(path);
		try {
			await orNull(unlink(path));
		} catch (error) {
			throw fileError(error, path);
		}
	}
}

/** Finishes the removals that a crash interrupted, and takes them off what was found. */
export async function finishRemovals(
	context: FilesContext,
	found: Map<string, FoundSession>,
): Promise<void> {
	for (const id of await readdir(context.paths.deleted)) {
		const session = found.get(id);
		if (session?.hasMeta) continue;
		await removeFiles(context, id, session?.logs ?? new Map());
		found.delete(id);
	}
}
