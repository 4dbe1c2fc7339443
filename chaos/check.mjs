import { demoPieces } from "@baton/agent/demo";
import { textOf } from "./said.mjs";

/** Fields that a door adds to a line, or that are of the answer and not of the event. */
const OF_THE_ANSWER = new Set(["seq"]);

/**
 * Compares what every client held with the log, and the log with what the agent had to say. Counts
 * are of events, but for `unended`, which counts turns.
 */
export async function check(conversations, sessions) {
	const totals = { events: 0, lost: 0, repeated: 0, outOfOrder: 0, unended: 0 };
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
			const ends = events.filter(
				({ event }) => event.type === "result" && event.run_id === turn.runId,
			);
			fault("unended", turn.ended && ends.length > 0 ? 0 : 1, `${where}: no end`);
			fault("repeated", Math.max(ends.length - 1, 0), `${where}: ${ends.length} ends`);
			const expected = [...demoPieces(turn.message)];
			const words = textOf(events, turn.runId).split(" ").filter(Boolean);
			const missing = expected.filter((piece, i) => words[i] !== piece.trim()).length;
			fault("lost", missing, `${where}: ${missing} words of the agent are not in the log`);
			const extra = Math.max(words.length - expected.length, 0);
			fault("repeated", extra, `${where}: ${extra} words too many in the log`);
			fault("lost", countLost(turn.view, events, turn.runId), `${where}: its client missed events`);
			countOrder(turn.view, where, fault);
		}
		for (const view of readers) {
			const where = `${door} ${id} reader`;
			fault("lost", countLost(view, events), `${where}: missed or other events`);
			countOrder(view, where, fault);
		}
	}
	return { totals, faults };
}

function countOrder(view, where, fault) {
	fault("repeated", view.repeated, `${where}: ${view.repeated} lines twice`);
	fault("outOfOrder", view.outOfOrder, `${where}: ${view.outOfOrder} lines out of order`);
}

/** Events of the log, of one run or of all, that a view does not hold as they are stored. */
function countLost(view, events, runId) {
	return events.filter(({ seq, event }) => {
		if (runId !== undefined && event.run_id !== runId) return false;
		const line = view.get(seq);
		return !line || !sameEvent(line, event);
	}).length;
}

function sameEvent(line, event) {
	const fields = Object.entries(line).filter(([name]) => !OF_THE_ANSWER.has(name));
	const stored = Object.entries(event);
	return (
		fields.length === stored.length &&
		fields.every(([name, value]) => JSON.stringify(value) === JSON.stringify(event[name]))
	);
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
