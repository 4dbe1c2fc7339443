/** The text of a turn, as any door shows it: without what was withdrawn. */
export function textOf(events, runId) {
	let said = [];
	for (const { seq, event } of events) {
		if (event.run_id !== runId) continue;
		if (event.type === "retract") said = said.filter((part) => part.seq > event.up_to);
		if (event.type === "message" && event.role === "assistant") {
			said.push({ seq, content: event.content });
		}
	}
	return said.map(({ content }) => content).join("");
}
