import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { missingTest } from "../seed-contract/file-tests.mjs";

const root = new URL("../../", import.meta.url);
const document = readFileSync(new URL("docs/security.md", root), "utf8");

/** The last cell of a row of threats: a file, and the titles of a test in it. */
const named = Array.from(document.matchAll(/\| `([^`]+\.test\.tsx?)` › (.+) \|$/gm), (row) => ({
	file: row[1] ?? "",
	titles: (row[2] ?? "").split(" › "),
}));
const rows = document.split("\n## Threats\n")[1]?.match(/^\| .*\|$/gm) ?? [];
const threats = rows.filter((row) => !row.startsWith("| threat |"));

it("every threat in docs/security.md has a test", () => {
	expect(threats.length).toBeGreaterThan(40);
	expect(named).toHaveLength(threats.length);
});

it.each(named)("docs/security.md: $titles", ({ file, titles }) => {
	const path = fileURLToPath(new URL(file, root));
	expect(existsSync(path)).toBe(true);
	expect(missingTest(path, titles)).toBeNull();
});
