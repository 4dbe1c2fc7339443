import type { LogEntry } from "@baton/session";
import type { ChatEvent } from "./chat-event";
import type { EventMapper } from "./event-mapper";
import { chatFrame, type Frame } from "./frame";

/** Events of one session whose frames are at hand. Readers who are further behind make their own. */
const KEPT = 2_048;
/** Larger frames are rare, and would make the kept ones weigh too much. */
const LARGEST = 16 * 1024;

/** What is shared of an event: its frame, and what a mapper has to know of it. */
interface SharedFrame {
	/** The event itself: after a failover of the store another one may have its number. */
	json: string;
	frame: Frame;
	noted: Pick<ChatEvent, "type" | "runId">;
}

/** The latest frames of a session, so that a hundred readers cost one encoding. */
class SessionFrames {
	readonly #frames = new Map<number, SharedFrame>();
	/** How many subscriptions use it. */
	users = 0;

	/** The frame of an entry, or null where there is nothing to tell. */
	frame(entry: LogEntry, mapper: EventMapper): Frame | null {
		const known = this.#frames.get(entry.seq);
		if (known?.json === entry.json) {
			mapper.note(known.noted);
			return known.frame;
		}
		const event = mapper.map(entry);
		if (!event) return null;
		const frame = chatFrame(event);
		// A paragraph depends on what its reader saw before; the rest is the same for everyone.
		if (isShared(event, entry) && frame.length <= LARGEST) {
			this.#keep(entry.seq, { json: entry.json, frame, noted: noteOf(event) });
		}
		return frame;
	}

	#keep(seq: number, frame: SharedFrame): void {
		this.#frames.set(seq, frame);
		if (this.#frames.size <= KEPT) return;
		for (const oldest of this.#frames.keys()) {
			this.#frames.delete(oldest);
			break;
		}
	}
}

function isShared({ type }: ChatEvent, entry: LogEntry): boolean {
	return type !== "delta" || entry.json.includes('"delta":true');
}

function noteOf({ type, runId }: ChatEvent): SharedFrame["noted"] {
	return { type, ...(runId !== undefined && { runId }) };
}

/** The frames of all sessions that somebody subscribes to here. */
export class SharedFrames {
	readonly #sessions = new Map<string, SessionFrames>();

	take(sessionKey: string): SessionFrames {
		const frames = this.#sessions.get(sessionKey) ?? new SessionFrames();
		this.#sessions.set(sessionKey, frames);
		frames.users++;
		return frames;
	}

	release(sessionKey: string): void {
		const frames = this.#sessions.get(sessionKey);
		if (frames && --frames.users === 0) this.#sessions.delete(sessionKey);
	}
}

export type { SessionFrames };
