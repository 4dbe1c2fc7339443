import type { EventReader } from "./event-reader";

/** How long the end of an answer may take once its last event is there. */
const DRAIN_MS = 250;

/**
 * Reads an answer to its end, which is near, so that its connection can be used again; an answer that
 * does not end is cancelled. Never rejects.
 */
export async function releaseReader(events: EventReader): Promise<void> {
	try {
		const rest = await events.nextWithin(DRAIN_MS);
		if (rest !== "ended") await events.reader.cancel();
	} catch {
		// Broken already: nothing is left to release.
	}
}
