import type { SessionValue } from "@baton/agent";
import { BatonError, type Collection, type SessionRecord } from "@baton/session";
import { z } from "zod";

type SessionRecords = SessionRecord<SessionValue>[];

/** Where each group's list goes on: from its start where that is empty, and null where it ended. */
const cursorSchema = z.array(z.string().nullable());

/** One list, newest first, over the groups that belong to an owner. */
export async function listOwned(
	sessions: Collection<SessionValue>,
	groups: readonly string[],
	{ limit, cursor }: { limit: number; cursor?: string },
): Promise<{ records: SessionRecords; cursor: string | null }> {
	const from = decode(cursor, groups.length);
	const list = (i: number, count: number) =>
		from[i] === null
			? { records: [], cursor: null }
			: sessions.list({ group: groups[i], limit: count, ...(from[i] && { cursor: from[i] }) });
	const pages = await Promise.all(groups.map((_, i) => list(i, limit)));
	const merged = pages
		.flatMap(({ records }, i) => records.map((record) => ({ record, i })))
		.sort((a, b) => b.record.createdAt - a.record.createdAt)
		.slice(0, limit);
	const next = await Promise.all(
		pages.map(async (page, i) => {
			const taken = merged.filter((one) => one.i === i).length;
			if (taken === page.records.length) return page.cursor;
			// A page that was not used up is cut where it was.
			return taken === 0 ? (from[i] ?? null) : (await list(i, taken)).cursor;
		}),
	);
	return { records: merged.map(({ record }) => record), cursor: encode(next) };
}

function encode(cursors: (string | null)[]): string | null {
	if (cursors.every((cursor) => cursor === null)) return null;
	return Buffer.from(JSON.stringify(cursors)).toString("base64url");
}

function decode(cursor: string | undefined, count: number): (string | null)[] {
	if (cursor === undefined) return Array(count).fill("");
	try {
		const decoded: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
		const cursors = cursorSchema.parse(decoded);
		if (cursors.length === count) return cursors;
	} catch {
		// Said below.
	}
	throw new BatonError("invalid", "The cursor is not one that an earlier page returned.");
}
