import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import type { CollectionPaths } from "./collection-paths";
import { fileError } from "./file-errors";
import type { SyncPolicy } from "./sync-policy";

/**
 * Puts a whole file in place, or leaves what was there: temp file, then rename. `durable` forces the
 * content out before the rename, so that a power failure cannot leave neither the old nor the new.
 */
export async function replaceFile(
	paths: CollectionPaths,
	sync: SyncPolicy,
	path: string,
	content: string | ((handle: FileHandle) => Promise<void>),
	durable = sync.immediate,
): Promise<void> {
	const temp = paths.tempFor(path);
	try {
		const handle = await open(temp, "wx", 0o600);
		try {
			if (typeof content === "string") await handle.writeFile(content);
			else await content(handle);
			if (durable) await handle.datasync();
		} finally {
			await handle.close();
		}
		await rename(temp, path);
		if (!durable) sync.wrote(path);
		await sync.changedFolderOf(path);
	} catch (error) {
		await unlink(temp).catch(() => {});
		throw fileError(error, path);
	}
}
