import type { Json } from "../src/json";
import type { Collection, Reset } from "../src/port";

/** Follows in the background and keeps what it saw. */
export function collect(sessions: Collection, id: string) {
	const controller = new AbortController();
	const events: [number, Json][] = [];
	const resets: Reset[] = [];
	let anewFrom = 0;
	const done = (async () => {
		for await (const { entries, reset } of sessions.follow(id, "events", {
			signal: controller.signal,
		})) {
			if (reset) {
				resets.push(reset);
				anewFrom = events.length;
			}
			for (const entry of entries) events.push([entry.seq, entry.event]);
		}
	})();
	done.catch(() => {});
	return {
		events,
		resets,
		/** What a reader holds that obeys resets. */
		get sinceReset() {
			return events.slice(anewFrom);
		},
		async stop() {
			controller.abort();
			await done;
		},
	};
}
