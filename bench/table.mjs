import { figure, ratio } from "./figures.mjs";

const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);

const COLUMNS = [
	{ title: "work", cell: (row) => row.work },
	{ title: "measure", cell: (row) => row.measure },
	{ title: "ours", cell: (row) => figure(row.ours, row.unit), right: true },
	{ title: "peer", cell: (row) => figure(row.peer, row.unit), right: true },
	{ title: "ratio", cell: (row) => ratio(row.ratio), right: true },
	{ title: "reach", cell: (row) => row.reach, right: true },
	{ title: "", cell: (row) => (row.pass ? "pass" : "miss") },
];

/** The rows as text, columns aligned. */
export function renderTable(rows) {
	const cells = rows.map((row) => COLUMNS.map(({ cell }) => cell(row)));
	const titles = COLUMNS.map(({ title }) => title);
	const widths = titles.map((_, i) =>
		Math.max(...[titles, ...cells].map((line) => line[i].length)),
	);
	const align = (line) =>
		line.map((text, i) =>
			COLUMNS[i].right ? text.padStart(widths[i]) : text.padEnd(i < 6 ? widths[i] : 0),
		);
	const lines = cells.map((line, i) => {
		const aligned = align(line);
		const mark = aligned.pop();
		return [...aligned, paint(rows[i].pass ? 32 : 31, mark)].join("  ");
	});
	const rule = "─".repeat(widths.reduce((sum, width) => sum + width + 2, 2));
	return [paint(1, align(titles).join("  ")), paint(2, rule), ...lines].join("\n");
}
