import type { StoredRecord } from "../driver";
import type { FilesContext } from "./files-context";
import type { CachedEntry, IndexCache } from "./index-cache";
import { mapLimited } from "./map-limited";
import type { RecordFiles } from "./record-files";
import { type FoundSession, scanFolder } from "./scan-folder";
import { type IndexEntry, SessionIndex } from "./session-index";
import { finishRemovals } from "./session-removal";

const WIDTH = 32;

/**
 * The sessions of a collection at its start. What is in the folder counts; the cache only spares
 * reading the meta files that it knows.
 */
export async function openIndex(
	context: FilesContext,
	cache: IndexCache,
	records: RecordFiles,
): Promise<SessionIndex> {
	const found = await scanFolder(context.paths);
	await finishRemovals(context, found);
	const cached = await cache.load();
	const entries = await mapLimited([...found], WIDTH, ([id, session]) => {
		const known = cached.entries.get(id);
		const spared = session.hasMeta && cached.trusted ? known : undefined;
		if (spared) return Promise.resolve({ ...spared, ...filesOf(session) });
		return readEntry(records, id, session, known);
	});
	const index = new SessionIndex();
	index.fill(entries);
	await cache.rewrite(() => index.all());
	return index;
}

async function readEntry(
	records: RecordFiles,
	id: string,
	session: FoundSession,
	known: CachedEntry | undefined,
): Promise<IndexEntry> {
	const record = session.hasMeta ? await records.read(id) : null;
	if (record !== null && record !== "corrupt") return entryOf(record, session);
	const why = record === null ? "lost-meta" : "corrupt-meta";
	return entryOf(await records.rebuild(id, why, session.logs, known), session);
}

export function entryOf(record: StoredRecord, files: Omit<FoundSession, "hasMeta">): IndexEntry {
	const { id, createdAt, group, aliases, ttlMs } = record;
	return { id, createdAt, group, aliases, ttlMs, ...filesOf(files) };
}

function filesOf({ logs, hasJournal }: Omit<FoundSession, "hasMeta">) {
	return { logs, hasJournal };
}
