import { setImmediate } from "node:timers/promises";
import type { CollectionDriver, RawSlice, Recent, Wake } from "./driver";
import { isBatonError } from "./errors";
import { LogEntry } from "./log-entry";
import { pause } from "./pause";
import type { FollowBatch, Reset } from "./port";

/** The most pushed events a follower holds before it goes back to reading. */
const INBOX_LINES = 8_192;
const INBOX_CHARACTERS = 8_000_000;
/** How long the first look waits for the wake-ups at the most. */
const LIVE_MS = 50;
/** A reader that comes late sees this many before the rest is prepared. */
const FIRST_ENTRIES = 16;
/** How long a follower waits between attempts while the store cannot be reached. */
const RETRY_MS = 250;

/**
 * Replay, then live, as one sequence (I3). The follower pulls: it reads from its cursor whenever it
 * may have missed something, and takes pushed events only when they continue exactly where it is.
 */
export async function* followLog(
	driver: CollectionDriver,
	id: string,
	log: string,
	options: {
		after: number;
		limit: number;
		fresh?: boolean;
		omit?: string | undefined;
		signal?: AbortSignal;
	},
): AsyncGenerator<FollowBatch, void, undefined> {
	const { limit, signal } = options;
	let cursor = options.after;
	/** The fingerprint of the event at the cursor, to recognise a log that changed underneath. */
	let delivered: string | undefined;
	let isFirst = true;
	const inbox = new Inbox();
	const wakeUp = () => inbox.wake({});
	signal?.addEventListener("abort", wakeUp);
	const unwatch = driver.watch(id, log, (wake) => inbox.wake(wake));
	const recent = driver.recent?.(id, log, cursor);
	if (recent) inbox.startWith(cursor + 1, recent);
	try {
		if (!recent && options.fresh && driver.live) {
			await atMost(LIVE_MS, driver.live(id, log));
		}
		while (!signal?.aborted) {
			let entries = inbox.take(cursor, limit, options.omit);
			if (entries.length === 0 && inbox.mustRead()) {
				const verify = inbox.startReading() && cursor > 0;
				const slice = await driver
					.read(id, log, verify ? cursor - 1 : cursor, limit, isFirst)
					.catch((error: unknown) => {
						if (!isBatonError(error, "unavailable")) throw error;
						return null;
					});
				if (signal?.aborted) return;
				if (slice === null) {
					// The store is away. A reader keeps its place and waits for it, as long as it is wanted.
					inbox.wake({ verify: true });
					await pause(RETRY_MS, signal);
					continue;
				}
				if (!verify && cursor > 0 && inbox.isOfOtherHands(slice.epoch)) {
					inbox.wake({ verify: true });
					continue;
				}
				const reset = findReset(slice, cursor, verify ? { delivered } : null);
				if (reset) {
					cursor = reset.first - 1;
					delivered = undefined;
					inbox.readAgain();
					yield { entries: [], reset };
					continue;
				}
				entries = slice.entries.filter((entry) => entry.seq > cursor);
				inbox.haveRead(slice.epoch);
				if (slice.last > (entries.at(-1)?.seq ?? cursor)) inbox.readAgain();
			}
			if (isFirst && entries.length > FIRST_ENTRIES) {
				yield { entries: entries.slice(0, FIRST_ENTRIES), reset: null };
				// What was handed over is on its way by then.
				await setImmediate();
				if (signal?.aborted) return;
				entries = entries.slice(FIRST_ENTRIES);
			}
			const newest = entries.at(-1);
			if (newest) {
				isFirst = false;
				cursor = newest.seq;
				delivered = fingerprint(newest);
				yield { entries, reset: null };
			} else if (!inbox.mustRead()) {
				await inbox.woken(driver.pollMs);
			}
		}
	} finally {
		signal?.removeEventListener("abort", wakeUp);
		unwatch();
	}
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([work, late]);
	clearTimeout(timer);
}

/** Why a cursor cannot be continued on what is stored now, or null when it can. */
export function findReset(
	slice: RawSlice,
	cursor: number,
	verify: { delivered: string | undefined } | null = null,
): Reset | null {
	if (cursor > slice.last) return { reason: "diverged", first: slice.first };
	if (cursor + 1 < slice.first) return { reason: "trimmed", first: slice.first };
	if (verify && cursor >= slice.first) {
		const found = slice.entries.find((entry) => entry.seq === cursor);
		const same =
			verify.delivered === undefined || verify.delivered === (found && fingerprint(found));
		if (!found || !same) return { reason: "diverged", first: slice.first };
	}
	return null;
}

/** The mark: the same text may have been said again in another history. */
function fingerprint(entry: LogEntry): string {
	return entry.mark ?? entry.json;
}

/** What a follower was told since it last looked: pushed events that join up, or "read again". */
class Inbox {
	#first = 0;
	#lines: string[] = [];
	/** The mark of each line. */
	#marks: (string | undefined)[] = [];
	#characters = 0;
	#stale = true;
	#verify = false;
	#epoch: string | undefined;
	#wake: (() => void) | null = null;

	/** What comes first is known: no look is needed. */
	startWith(first: number, { lines, marks, epoch }: Recent): void {
		this.#first = first;
		this.#lines = lines;
		this.#marks = marks;
		for (const line of lines) this.#characters += line.length;
		this.#epoch = epoch;
		this.#stale = false;
	}

	wake({ pushed, epoch, verify }: Wake): void {
		const changedHands = epoch !== undefined && epoch !== this.#epoch;
		if (changedHands) this.#epoch = epoch;
		if (verify || changedHands) this.#verify = true;
		if (!pushed || verify || changedHands) this.#forget();
		else this.#put(pushed);
		this.#wake?.();
	}

	#put({ first, lines, mark }: NonNullable<Wake["pushed"]>): void {
		if (this.#lines.length === 0) this.#first = first;
		const next = this.#first + this.#lines.length;
		if (first > next || this.#lines.length + lines.length > INBOX_LINES) {
			this.#forget();
			return;
		}
		for (let i = next - first; i < lines.length; i++) {
			this.#lines.push(lines[i] as string);
			this.#marks.push(mark);
			this.#characters += (lines[i] as string).length;
		}
		if (this.#characters > INBOX_CHARACTERS) this.#forget();
	}

	#forget(): void {
		this.#lines = [];
		this.#marks = [];
		this.#characters = 0;
		this.#stale = true;
	}

	/** The pushed events right after the cursor; asks for a read when they leave a gap. */
	take(cursor: number, limit: number, omit?: string): LogEntry[] {
		if (this.#lines.length === 0 || this.#stale) return [];
		const known = cursor + 1 - this.#first;
		if (known < 0) {
			this.#forget();
			return [];
		}
		const fresh = this.#lines.slice(known, known + limit);
		const entries: LogEntry[] = [];
		for (const [i, line] of fresh.entries()) {
			// The last one stays: it says how far this goes.
			if (omit !== undefined && i < fresh.length - 1 && line.startsWith(omit)) continue;
			entries.push(new LogEntry(cursor + 1 + i, line, undefined, this.#marks[known + i]));
		}
		const used = known + fresh.length;
		for (let i = 0; i < used; i++) this.#characters -= this.#lines[i]?.length ?? 0;
		this.#lines = used >= this.#lines.length ? [] : this.#lines.slice(used);
		this.#marks = used >= this.#marks.length ? [] : this.#marks.slice(used);
		this.#first += used;
		return entries;
	}

	mustRead(): boolean {
		return this.#stale;
	}

	/** Call before a read: what is pushed while it runs counts again. True: verify the cursor. */
	startReading(): boolean {
		const verify = this.#verify;
		this.#stale = false;
		this.#verify = false;
		return verify;
	}

	/** Whether what was read was last written by another than what is known of. */
	isOfOtherHands(epoch: string | undefined): boolean {
		return epoch !== undefined && this.#epoch !== undefined && epoch !== this.#epoch;
	}

	/** What was read is of this epoch: a push of the same one continues it. */
	haveRead(epoch: string | undefined): void {
		if (!this.#stale) this.#epoch = epoch;
	}

	readAgain(): void {
		this.#stale = true;
	}

	/** Resolves at the next wake; after `pollMs` without one, looks for itself. */
	woken(pollMs: number): Promise<void> {
		if (this.#stale || this.#lines.length > 0) return Promise.resolve();
		return new Promise((resolve) => {
			const timer = setTimeout(() => this.wake({ verify: true }), pollMs);
			timer.unref();
			this.#wake = () => {
				clearTimeout(timer);
				this.#wake = null;
				resolve();
			};
		});
	}
}
