import { type SessionValue, TRANSCRIPT } from "@baton/agent";
import type { Collection } from "@baton/session";
import { z } from "zod";
import { FileSessions } from "./file-sessions";
import { listOwned } from "./list-owned";
import type { SessionMeta } from "./session";
import { metaOf, type Recorded } from "./session-meta";

interface ExportOptions {
	sessions: Collection<SessionValue>;
	owner: string;
	/** Whether sessions that name no owner are exported with this one's. */
	ownsUnowned: boolean;
	/** Only these; empty: all. */
	keys: readonly string[];
	/** Where to; what is there under the same keys is replaced. */
	dir: string;
}

/** A folder takes sessions by their key alone, which must then be one. */
const uuid = z.uuid();
const PAGE = 200;

/** Writes an owner's sessions as files, and tells of each when it is whole. */
export async function* exportSessions(
	options: ExportOptions,
): AsyncGenerator<SessionMeta & { messages: number }> {
	const files = new FileSessions(options.dir);
	for await (const record of recordsOf(options)) {
		const meta = metaOf(record);
		if (!uuid.safeParse(meta.key).success) continue;
		let messages = 0;
		const lines = (async function* () {
			for await (const page of transcriptLines(options.sessions, meta.key)) {
				messages += page.length;
				yield page;
			}
		})();
		await files.write(meta, lines);
		yield { ...meta, messages };
	}
}

async function* recordsOf(options: ExportOptions): AsyncGenerator<Recorded> {
	const { sessions, owner, ownsUnowned, keys } = options;
	for (const key of keys) {
		const record = uuid.safeParse(key).success ? await sessions.get(key) : null;
		const itsOwner = record?.value.owner ?? (ownsUnowned ? owner : null);
		if (record && itsOwner === owner) yield record;
	}
	if (keys.length > 0) return;
	const groups = ownsUnowned ? [owner, ""] : [owner];
	let cursor: string | null = null;
	do {
		const page: Awaited<ReturnType<typeof listOwned>> = await listOwned(sessions, groups, {
			limit: PAGE,
			...(cursor && { cursor }),
		});
		yield* page.records;
		cursor = page.cursor;
	} while (cursor !== null);
}

/** The rows as they are stored, a page at a time. */
async function* transcriptLines(
	sessions: Collection<SessionValue>,
	key: string,
): AsyncGenerator<string[]> {
	for (let after = 0; ; ) {
		const { entries } = await sessions.read(key, TRANSCRIPT, { after });
		const last = entries.at(-1);
		if (!last) return;
		yield entries.map(({ json }) => json);
		after = last.seq;
	}
}
