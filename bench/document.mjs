import { figure, ratio } from "./figures.mjs";

/** Which benches belong together, in the order of the document. */
const SECTIONS = [
	["The session core", /^(redis|files|many-sessions)/],
	["Turns and the agent API", /^(turn|ndjson)/],
	["The AI SDK provider", /^(do-stream|long-turn|resume|ui-response)/],
	["The page", /^(snapshot|first-token)/],
	["A2A", /^a2a/],
	["The gateway", /^gateway/],
];

/** Where the document says what is behind a figure that is missed. */
const REASONS = {
	"redis-wake": "[0005](decisions/0005-redis-store.md)",
	"files-tail": "[0004](decisions/0004-files-store.md)",
	turn: "[0016](decisions/0016-what-a-turn-costs.md)",
	"turn-attach": "[0016](decisions/0016-what-a-turn-costs.md)",
	resume: "[0016](decisions/0016-what-a-turn-costs.md)",
	"first-token": "[0016](decisions/0016-what-a-turn-costs.md)",
	a2a: "[0016](decisions/0016-what-a-turn-costs.md)",
};

/** docs/benchmarks.md of one whole run. */
export function renderDocument({ at, machine, rows }) {
	const missed = rows.filter(({ pass }) => !pass).length;
	return `# Benchmarks

Written by \`npm run bench\`, in one run on ${at.slice(0, 10)}: ${machine}. ${rows.length - missed} reached, ${missed} missed.

Every figure is a ratio to a peer that does the same work in the same run, both in turn, so that a slow machine slows both. The peers: raw Redis commands and \`appendFile\`, \`resumable-stream\`, a plain HTTP response, \`@ai-sdk/openai-compatible\`, a bare \`streamText\` route, Playwright's \`ariaSnapshot\`, the A2A SDK's own server, bare \`ws\`. The reach was set before the code was written.

![Each bench against its reach](benchmarks.svg)
${SECTIONS.map(([title, names]) =>
	renderSection(
		title,
		rows.filter(({ bench }) => names.test(bench)),
	),
).join("")}`;
}

function renderSection(title, rows) {
	if (rows.length === 0) return "";
	const lines = rows.map((row) => {
		const cells = [
			row.work,
			row.measure,
			figure(row.ours, row.unit),
			figure(row.peer, row.unit),
			ratio(row.ratio),
			row.reach,
			row.pass ? "reached" : `missed: ${REASONS[row.bench] ?? "not explained yet"}`,
		];
		return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	});
	return `
## ${title}

| work | measure | ours | peer | ratio | reach | |
|---|---|--:|--:|--:|--:|---|
${lines.join("\n")}
`;
}
