import type { EventPages } from "./event-pages";
import type { Moment } from "./moment";

/** Events back from the moment that its text is made of. */
export const TEXT_EVENTS = 400;

/** The end of what the agent had said in its turn by then. */
export function textSoFar(events: EventPages, moment: Moment, seq: number): string {
	const { turnSeq, textFrom, runId } = moment;
	const start = Math.max(turnSeq, textFrom + 1, seq - TEXT_EVENTS);
	let text = "";
	for (let at = start; at <= seq; at++) {
		const event = events.get(at);
		if (event?.type !== "message" || event.role !== "assistant" || event.run_id !== runId) continue;
		if (typeof event.content === "string") text += event.content;
	}
	const isWhole = start <= Math.max(turnSeq, textFrom + 1);
	return isWhole ? text.trimStart() : `…${text}`;
}
