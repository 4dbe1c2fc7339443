import { demoPieces } from "@baton/agent/demo";
import { textOf } from "./said.mjs";

/**
 * Compares what every client held with the log, and the log with what the agent had to say. Counts
 * are of events, but for `unended` and `givenUp`, which count turns.
 */
export async function check(conversations, sessions) {
	const totals = { events: 0, givenUp: 0, lost: 0, repeated: 0, outOfOrder: 0, unended: 0 };
	const faults = [];
	const fault = (kind, count, text) => {
		if (count === 0) return;
		totals[kind] += count;
		faults.push(text);
	};
	for (const { id, door, turns, readers } of conversations) {
		const events = id ? await readAll(sessions, id) : [];
		totals.events += events.length;
		for (const turn of turns) {
			const where = `${door} ${id} ${turn.message}`;
			// Not every door tells its clients the run.
			turn.runId ??= runOf(events, turn.keyInLog);
			const ends = events.filter(
				({ event }) => event.type === "result" && event.run_id === turn.runId,
			);
			const why = turn.refused ? `: ${turn.refused}` : "";
			fault("unended", turn.ended && ends.length > 0 ? 0 : 1, `${where}: no end${why}`);
			if (!turn.view) continue;
			fault("repeated", Math.max(ends.length - 1, 0), `${where}: ${ends.length} ends`);
			const text = textOf(events, turn.runId);
			const words = text.split(" ").filter(Boolean);
			let expected = [...demoPieces(turn.message)];
			if (isGivenUp(ends[0]?.event)) {
				// Its process was lost too often: it says so, and what was said until then stands.
				totals.givenUp++;
				expected = expected.slice(0, words.length);
			}
			const missing = expected.filter((piece, i) => words[i] !== piece.trim()).length;
			const how = ends.map(({ event }) => event.error?.message ?? event.status).join(", ");
			fault("lost", missing, `${where}: ${missing} words of the agent are not in the log (${how})`);
			const extra = Math.max(words.length - expected.length, 0);
			fault("repeated", extra, `${where}: ${extra} words too many in the log`);
			const unseen = turn.view.missing(turn.view.comparesText ? text : events, turn.runId);
			fault("lost", unseen, `${where}: its client missed ${unseen}`);
			countOrder(turn.view, where, fault);
		}
		for (const view of readers) {
			const where = `${door} ${id} reader`;
			const unseen = view.missing(events);
			fault("lost", unseen, `${where}: missed ${unseen} events, or saw others`);
			countOrder(view, where, fault);
		}
	}
	return { totals, faults };
}

function runOf(events, key) {
	const isInput = ({ event }) => event.type === "input_admitted" && event.idempotency_key === key;
	return events.find(isInput)?.event.run_id;
}

/** Ended by the rule that a turn which loses its process too often may be what kills it. */
function isGivenUp(end) {
	return end?.error?.type === "runner_lost" && end.error.retryable === true;
}

function countOrder(view, where, fault) {
	fault("repeated", view.repeated, `${where}: ${view.repeated} lines twice`);
	fault("outOfOrder", view.outOfOrder, `${where}: ${view.outOfOrder} lines out of order`);
}

async function readAll(sessions, id) {
	const events = [];
	for (let after = 0; ; ) {
		const { entries } = await sessions.read(id, "events", { after });
		if (entries.length === 0) return events;
		for (const { seq, event } of entries) events.push({ seq, event });
		after = entries.at(-1).seq;
	}
}
