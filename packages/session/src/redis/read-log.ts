import type { RawSlice } from "../driver";
import { LogEntry } from "../log-entry";
import { notFound } from "../store-errors";
import type { Commands } from "./commands";

export interface LogKeys {
	id: string;
	log: string;
	record: string;
	state: string;
	stream: string;
}

/** A stream's entry as Redis returns it: `<seq>-<mark>`, and the one field that holds the event. */
type StreamEntry = [id: string, [field: string, json: string]];

interface Snapshot {
	found: StreamEntry[];
	first: number;
	last: number;
	epoch: string;
}

/*
 * Reading is plain commands and no script: a script would turn every entry into a value of Lua and
 * back, which takes longer than all the rest. The stream is read first and the state after it, so
 * the state is never older than the entries; where it is newer, they are read again.
 */

export async function readLog(
	commands: Commands,
	keys: LogKeys,
	after: number,
	limit: number,
): Promise<RawSlice> {
	const range = ["XRANGE", keys.stream, `${after + 1}-0`, "+", "COUNT", limit] as const;
	let { found, first, last, epoch } = await snapshot(commands, keys, range);
	const next = Math.max(after + 1, first);
	if (seqOf(found[0]) !== next && last >= next) {
		// Stored between the two looks, or evicted by a server that is set to do that.
		({ found, first, last, epoch } = await snapshot(commands, keys, range));
		const start = Math.max(after + 1, first);
		if (seqOf(found[0]) !== start && last >= start) first = seqOf(found[0]) ?? last + 1;
	}
	return { entries: toEntries(found), first, last, epoch };
}

export async function tailLog(commands: Commands, keys: LogKeys, count: number): Promise<RawSlice> {
	const range = ["XREVRANGE", keys.stream, "+", "-", "COUNT", count] as const;
	let state = await snapshot(commands, keys, range);
	// Stored between the two looks, or evicted.
	if (state.found.length === 0 && state.last >= state.first) {
		state = await snapshot(commands, keys, range);
	}
	const entries = toEntries(state.found.reverse());
	const [oldest, newest] = [entries[0], entries.at(-1)];
	if (!oldest || !newest) return { entries, first: state.last + 1, last: state.last };
	// What came after the first look is not in this tail, so it does not count here.
	const first = entries.length < count ? oldest.seq : state.first;
	return { entries, first, last: newest.seq };
}

async function snapshot(
	commands: Commands,
	{ id, log, record, state }: LogKeys,
	range: readonly [string, ...(string | number)[]],
): Promise<Snapshot> {
	for (;;) {
		const [found, fields, exists] = (await commands.together([
			range,
			["HMGET", state, `f:${log}`, `s:${log}`, `e:${log}`],
			["EXISTS", record],
		])) as [StreamEntry[], (string | null)[], number];
		if (exists === 0) throw notFound(id);
		const last = Number(fields[1] ?? 0);
		const highest = Math.max(seqOf(found[0]) ?? 0, seqOf(found.at(-1)) ?? 0);
		// Entries of a session that was deleted and made anew between the two looks.
		if (highest <= last) {
			return { found, first: Number(fields[0] ?? 1), last, epoch: fields[2] ?? "" };
		}
	}
}

function seqOf(entry: StreamEntry | undefined): number | undefined {
	return entry && Number.parseInt(entry[0], 10);
}

/** Numbers have no gaps, so the first one tells all; marks are wanted at both ends. */
function toEntries(found: readonly StreamEntry[]): LogEntry[] {
	const start = seqOf(found[0]) ?? 0;
	const end = found.length - 1;
	return found.map(([id, [, json]], i) => {
		const mark = i === 0 || i === end ? id.slice(id.indexOf("-") + 1) : undefined;
		return new LogEntry(start + i, json, undefined, mark);
	});
}
