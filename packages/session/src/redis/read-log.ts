import type { RawSlice } from "../driver";
import { BatonError } from "../errors";
import { LogEntry } from "../log-entry";
import { notFound } from "../store-errors";
import type { Commands } from "./commands";
import { markOf, parseChunk, type StreamChunk, type StreamEntry } from "./stream-chunks";

export interface LogKeys {
	id: string;
	log: string;
	record: string;
	state: string;
	stream: string;
}

interface Snapshot {
	/** In the order in which they were asked for. */
	chunks: StreamChunk[];
	first: number;
	last: number;
	epoch: string;
}

/** Stream entries of a first look: as many as may hold one event each. Older ones are folded. */
const FIRST_LOOK = 32;

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
	/** What one look gives will do. */
	some: boolean,
): Promise<RawSlice> {
	const look = (from: number, count: number) =>
		snapshot(commands, keys, ["XRANGE", keys.stream, `${from}-0`, "+", "COUNT", count]);
	const wanted = Math.min(limit, FIRST_LOOK);
	let state = await look(after + 1, wanted);
	if (isMissing(state, after)) {
		// Stored between the two looks, or evicted by a server that is set to do that.
		state = await look(after + 1, wanted);
		if (isMissing(state, after)) {
			state = { ...state, first: state.chunks[0]?.first ?? state.last + 1 };
		}
	}
	const start = Math.max(after + 1, state.first);
	const entries: LogEntry[] = [];
	let { chunks, last } = state;
	for (let count = wanted; ; ) {
		for (const chunk of chunks) take(chunk, start, limit, entries);
		const next = (chunks.at(-1)?.last ?? last) + 1;
		if (entries.length >= limit || chunks.length < count || next > last || some) break;
		count = remainingEntries(limit - entries.length, entries.length, chunks.length);
		({ chunks, last } = await look(next, count));
		// The log was cut or replaced meanwhile: what is here is whole, and the rest is read anew.
		if (chunks[0]?.first !== next) break;
	}
	return { entries, first: state.first, last: Math.max(last, state.last), epoch: state.epoch };
}

export async function tailLog(commands: Commands, keys: LogKeys, count: number): Promise<RawSlice> {
	const look = (to: string, entries: number) =>
		snapshot(commands, keys, ["XREVRANGE", keys.stream, to, "-", "COUNT", entries]);
	let state = await look("+", Math.min(count, FIRST_LOOK));
	// Stored between the two looks, or evicted.
	if (state.chunks.length === 0 && state.last >= state.first) {
		state = await look("+", Math.min(count, FIRST_LOOK));
	}
	const newest = state.chunks[0];
	if (!newest) return { entries: [], first: state.last + 1, last: state.last };
	const wanted = Math.max(newest.last - count + 1, state.first);
	const chunks = [...state.chunks];
	for (let oldest = chunks.at(-1); oldest && oldest.first > wanted; oldest = chunks.at(-1)) {
		const missing = oldest.first - wanted;
		const more = remainingEntries(missing, newest.last - oldest.first + 1, chunks.length);
		const earlier = await look(`${oldest.first - 1}`, more);
		if (earlier.chunks[0]?.last !== oldest.first - 1) break;
		chunks.push(...earlier.chunks);
	}
	const entries: LogEntry[] = [];
	for (const chunk of chunks.reverse()) take(chunk, wanted, count, entries);
	const first = entries[0]?.seq === wanted ? state.first : (entries[0]?.seq ?? state.first);
	// What came after the first look is not in this tail, so it does not count here.
	return { entries, first, last: newest.last };
}

async function snapshot(
	commands: Commands,
	{ id, log, record, state }: LogKeys,
	range: readonly [string, ...(string | number)[]],
): Promise<Snapshot> {
	for (let tries = 1; ; tries++) {
		const [found, fields] = (await commands.together([
			range,
			["HMGET", state, `f:${log}`, `s:${log}`, `e:${log}`, "v"],
		])) as [StreamEntry[], (string | null)[]];
		// A record has its state beside it, unless another program wrote it.
		const hasState = fields[3] !== null;
		if (!hasState && !(await commands.call("EXISTS", record))) throw notFound(id);
		const last = Number(fields[1] ?? 0);
		const chunks = found.map(parseChunk);
		const highest = Math.max(chunks[0]?.last ?? 0, chunks.at(-1)?.last ?? 0);
		// Entries of a session that was deleted and made anew between the two looks.
		if (highest <= last) {
			return { chunks, first: Number(fields[0] ?? 1), last, epoch: fields[2] ?? "" };
		}
		if (tries === 5) {
			throw new BatonError(
				"corrupt",
				`The log "${log}" of session "${id}" has events that its state does not know of; was "${state}" removed?`,
			);
		}
	}
}

/** Whether there should be an event right after the cursor, and it was not found. */
function isMissing({ chunks, first, last }: Snapshot, after: number): boolean {
	const next = Math.max(after + 1, first);
	const [chunk] = chunks;
	const found = chunk !== undefined && chunk.first <= next && next <= chunk.last;
	return !found && last >= next;
}

/** How many entries are likely to hold so many events, judged by those that were seen. */
function remainingEntries(events: number, seenEvents: number, seenEntries: number): number {
	const perEntry = Math.max(seenEvents / Math.max(seenEntries, 1), 1);
	return Math.min(Math.ceil((events / perEntry) * 1.25), events);
}

/** Adds the events of a chunk from `start` on. Marks are wanted at both ends of a slice alone. */
function take(chunk: StreamChunk, start: number, limit: number, entries: LogEntry[]): void {
	const from = Math.max(start, chunk.first);
	const to = Math.min(chunk.last, from + limit - entries.length - 1);
	for (let seq = from; seq <= to; seq++) {
		const isEnd = seq === to || entries.length === 0;
		const mark = isEnd ? markOf(chunk, seq) : undefined;
		entries.push(new LogEntry(seq, chunk.lines[seq - chunk.first] as string, undefined, mark));
	}
}
