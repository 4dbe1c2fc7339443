import { mkdir, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type CollectionPaths, journalOwner, parseFileName } from "./collection-paths";
import { orNull } from "./file-errors";

/** The files that a session has in the folder. */
export interface FoundSession {
	hasMeta: boolean;
	/** Its logs, and the first event in each one's file. */
	logs: Map<string, number>;
	hasJournal: boolean;
}

/** Makes the folders, clears what unfinished writes left, and says which sessions have files. */
export async function scanFolder(paths: CollectionPaths): Promise<Map<string, FoundSession>> {
	for (const folder of [paths.folder, paths.housekeeping, paths.temp, paths.deleted]) {
		await mkdir(folder, { recursive: true, mode: 0o700 });
	}
	for (const name of await readdir(paths.temp)) await orNull(unlink(join(paths.temp, name)));
	const found = new Map<string, FoundSession>();
	for (const name of await readdir(paths.folder)) {
		const file = parseFileName(name);
		if (!file) continue;
		let session = found.get(file.id);
		if (!session) {
			session = { hasMeta: false, logs: new Map(), hasJournal: false };
			found.set(file.id, session);
		}
		if (file.kind === "meta") session.hasMeta = true;
		else await addLog(paths, session, file);
	}
	for (const name of await readdir(paths.housekeeping)) {
		const session = found.get(journalOwner(name) ?? "");
		if (session) session.hasJournal = true;
	}
	return found;
}

/** Of two files of one log the one that begins later counts: the other was being trimmed away. */
async function addLog(
	paths: CollectionPaths,
	session: FoundSession,
	{ id, log, first }: { id: string; log: string; first: number },
): Promise<void> {
	const other = session.logs.get(log);
	if (other !== undefined) {
		await orNull(unlink(paths.log(id, log, Math.min(other, first))));
	}
	session.logs.set(log, Math.max(other ?? 0, first));
}
