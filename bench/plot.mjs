const WIDTH = 860;
const NAMES = 470;
const ROW = 22;
const TOP = 58;
/** The ends of the scale: what is better or worse than this ends at the edge. */
const [BEST, WORST] = [1 / 1_000, 4];
const REACH = /^([≤≥])\s*(\d+(?:\.\d+)?)(?:\s*\/\s*(\d+))?/;

const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #444c56; }
.title { font-weight: 600; font-size: 14px; }
.tick { fill: #768390; text-anchor: middle; }
.rule { stroke: #768390; stroke-opacity: .35; }
.reach { stroke: #768390; stroke-width: 1.5; stroke-dasharray: 4 3; }
.pass { fill: #2da44e; } .miss { fill: #d4762c; }
@media (prefers-color-scheme: dark) { text { fill: #adbac7; } }`;

/** How far a row is from its reach: 1 is just there, less is better. Null: it has no such number. */
export function distance({ ratio, reach }) {
	const [, sign, above, below = "1"] = REACH.exec(reach ?? "") ?? [];
	const limit = Number(above) / Number(below);
	if (!sign || !(limit > 0) || !(ratio > 0)) return null;
	return sign === "≤" ? ratio / limit : limit / ratio;
}

/** All rows that are ratios, as bars on one logarithmic scale whose 1 is what each has to reach. */
export function renderPlot(rows) {
	const bars = rows.map((row) => ({ row, at: distance(row) })).filter(({ at }) => at !== null);
	const height = TOP + bars.length * ROW + 16;
	const bottom = TOP + bars.length * ROW;
	const x = (value) => {
		const share = Math.log(value / BEST) / Math.log(WORST / BEST);
		return NAMES + Math.min(Math.max(share, 0), 1) * (WIDTH - NAMES - 20);
	};
	const ticks = [1 / 1_000, 1 / 100, 1 / 10, 1].map((value) => {
		const at = x(value).toFixed(1);
		const name = value === 1 ? "reach" : `1/${Math.round(1 / value)}`;
		return `<line class="${value === 1 ? "reach" : "rule"}" x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${bottom}"/><text class="tick" x="${at}" y="${TOP - 14}">${name}</text>`;
	});
	const lines = bars.map(({ row, at }, i) => {
		const y = TOP + i * ROW;
		const width = Math.max(x(at) - NAMES, 2).toFixed(1);
		const kind = row.pass ? "pass" : "miss";
		return `<text x="${NAMES - 10}" y="${y + 14}" text-anchor="end">${escapeXml(shorten(row.work))}</text><rect class="${kind}" x="${NAMES}" y="${y + 4}" width="${width}" height="${ROW - 8}" rx="2"><title>${escapeXml(`${row.work}: ${row.measure}`)}</title></rect>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Each bench against its reach">
<style>${STYLE}</style>
<text class="title" x="10" y="20">What each work costs, as a share of what it may cost</text>
${[...ticks, ...lines].join("\n")}
</svg>
`;
}

function shorten(text, most = 68) {
	return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function escapeXml(text) {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
