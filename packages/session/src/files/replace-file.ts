import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import { fileError } from "./file-errors";
import type { FilesContext } from "./files-context";
import { AT_ONCE, type OpenFile } from "./open-file";
import { removeTemp } from "./spare-files";

/**
 * Puts a whole file in place, or leaves what was there: temp file, then rename. `durable` forces the
 * content out before the rename, so that a power failure cannot leave neither the old nor the new.
 */
export async function replaceFile(
	{ spares, sync }: FilesContext,
	path: string,
	content: string | ((file: OpenFile) => Promise<void>),
	durable = sync.immediate,
): Promise<void> {
	const isSmall = typeof content === "string" && content.length <= AT_ONCE;
	try {
		const temp = await spares.take();
		try {
			try {
				if (typeof content === "string") await temp.file.write(Buffer.from(content), 0);
				else await content(temp.file);
				if (durable) await temp.file.datasync();
			} finally {
				temp.file.closeAtOnce();
			}
			// A large one over another may have to be written out first.
			if (isSmall) renameSync(temp.path, path);
			else await rename(temp.path, path);
		} catch (error) {
			removeTemp(temp.path);
			throw error;
		}
		if (!durable) sync.wrote(path);
		await sync.changedFolderOf(path);
	} catch (error) {
		throw fileError(error, path);
	}
}
