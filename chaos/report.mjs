/** The figures, for people or for programs. Faults are named, the first of them. */
export function report(figures, faults, { json }) {
	if (json) return `${JSON.stringify({ ...figures, faults: faults.slice(0, 50) })}\n`;
	const row = (name, value) => `  ${name.padEnd(28)}${value.toLocaleString("en").padStart(10)}\n`;
	return [
		"\n",
		row("turns", figures.turns),
		row("kills of an instance", figures.kills),
		row("stops of an instance", figures.stops),
		row("restarts of Redis", figures.restarts),
		row("failovers of Redis", figures.failovers),
		row("cuts of connections", figures.cuts),
		row("slow connections", figures.slowdowns),
		row("events", figures.events),
		row("turns given up, and said so", figures.givenUp),
		"\n",
		row("lost", figures.lost),
		row("repeated", figures.repeated),
		row("out of order", figures.outOfOrder),
		row("without a terminal event", figures.unended),
		"\n",
		...faults.slice(0, 10).map((fault) => `  ${fault}\n`),
	].join("");
}
