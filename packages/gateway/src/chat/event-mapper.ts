import type { LogEntry } from "@baton/session";
import type { ChatEvent } from "./chat-event";
import { mapEvent } from "./map-event";

/** A merged delta has at most this much text. */
const MERGED_CHARACTERS = 64 * 1024;

/** Maps the entries of one session's log, read in order. */
export class EventMapper {
	readonly #sessionKey: string;
	/** Whether a run that was seen from its start has said something. */
	readonly #said = new Map<string, boolean>();
	/** A run that was joined in its middle is taken to have said something. */
	readonly #followsText = (runId: string) => this.#said.get(runId) ?? true;

	constructor(sessionKey: string) {
		this.#sessionKey = sessionKey;
	}

	map(entry: LogEntry): ChatEvent | null {
		const event = mapEvent(this.#sessionKey, entry, this.#followsText);
		if (event) this.note(event);
		return event;
	}

	/** Takes notice of an event that someone else has mapped. */
	note({ type, runId }: Pick<ChatEvent, "type" | "runId">): void {
		if (runId === undefined) return;
		if (type === "delta") {
			if (this.#said.get(runId) === false) this.#said.set(runId, true);
		} else if (type === "message" || type === "retract") {
			this.#said.set(runId, false);
		} else if (type === "final" || type === "error") {
			this.#said.delete(runId);
		}
	}
}

/** Deltas of one run that follow each other, as one: for a reader who is behind anyway. */
export function mergeDeltas(events: readonly ChatEvent[]): ChatEvent[] {
	const merged: ChatEvent[] = [];
	for (const event of events) {
		const last = merged.at(-1);
		if (
			event.type === "delta" &&
			last?.type === "delta" &&
			last.runId === event.runId &&
			last.text.length + event.text.length <= MERGED_CHARACTERS
		) {
			merged[merged.length - 1] = { ...event, text: last.text + event.text };
		} else {
			merged.push(event);
		}
	}
	return merged;
}
