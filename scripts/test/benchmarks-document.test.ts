import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { renderDocument } from "../../bench/document.mjs";
import { distance, renderPlot } from "../../bench/plot.mjs";

const DOCS = new URL("../../docs/", import.meta.url);

const row = (fields: Record<string, unknown>) => ({
	bench: "turn",
	work: "a turn",
	measure: "time ÷ peer",
	unit: "ms",
	ours: 0.5,
	peer: 0.25,
	ratio: 2,
	reach: "≤ 2",
	pass: true,
	...fields,
});

describe("the document of the benchmarks", () => {
	it.each([
		[{ ratio: 2, reach: "≤ 2" }, 1],
		[{ ratio: 1, reach: "≤ 2 × the time" }, 0.5],
		[{ ratio: 0.35, reach: "≥ 0.7" }, 2],
		[{ ratio: 1 / 1_000, reach: "≤ 1/500" }, 0.5],
		[{ ratio: 0, reach: "0" }, null],
		[{ ratio: 5, reach: "flat" }, null],
	])("measures %o against its reach: %s", (fields, expected) => {
		const found = distance(row(fields));
		if (expected === null || found === null) expect(found).toBe(expected);
		else expect(found).toBeCloseTo(expected);
	});

	it("has a line for every row, in the section of its bench, and says what was missed", () => {
		const rows = [row({}), row({ bench: "a2a", work: "a send", ratio: 3, pass: false })];
		const text = renderDocument({ at: "2026-01-02T03:04:05Z", machine: "a machine", rows });
		expect(text).toContain("1 reached, 1 missed");
		expect(text).toMatch(
			/## Turns[^#]*\| a turn \|[^#]*500 µs \| 250 µs \| 2.00 \| ≤ 2 \| reached/,
		);
		expect(text).toMatch(/## A2A[^#]*\| a send \|[^#]*3.00 \| ≤ 2 \| missed: \[0016\]/);
	});

	it("draws a bar for every ratio, and nothing that a work's name could break", () => {
		const svg = renderPlot([row({ work: "a < b & c" }), row({ reach: "flat" })]);
		expect(svg.match(/<rect/g)).toHaveLength(1);
		expect(svg).toContain("a &lt; b &amp; c");
	});

	it("is there, with its plot, and explains every figure that is missed", () => {
		const text = readFileSync(new URL("benchmarks.md", DOCS), "utf8");
		expect(text).not.toContain("not explained yet");
		expect(existsSync(new URL("benchmarks.svg", DOCS))).toBe(true);
		const links = [...text.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path = ""]) => path);
		for (const path of links) expect(existsSync(fileURLToPath(new URL(path, DOCS)))).toBe(true);
	});
});
