import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { runCommand } from "./run-command.mjs";
import { bin, inRoot } from "./workspace.mjs";

const RESULTS = inRoot("node_modules", ".cache", "baton", "vitest.json");

/**
 * Runs the tests with vitest's own output and counts them. Something that failed outside of a test
 * (a file that does not load, an error nobody caught, no test at all) counts as one failure.
 *
 * @param {string[]} filters
 * @param {{ env: Record<string, string> }} options
 */
export async function runVitest(filters, { env }) {
	rmSync(RESULTS, { force: true });
	mkdirSync(inRoot("node_modules", ".cache", "baton"), { recursive: true });
	const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`];
	// What is packed needs the types as well: it is tried beside, once they are there.
	const chosen = filters.length > 0 ? filters : ["--project=!packed"];
	const { ok } = await runCommand(bin("vitest"), ["run", ...reporters, ...chosen], {
		show: true,
		env,
	});
	const counts = readCounts();
	if (!ok && counts.failed === 0) counts.failed = 1;
	return counts;
}

function readCounts() {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	let results;
	try {
		results = JSON.parse(readFileSync(RESULTS, "utf8"));
	} catch {
		return { ...counts, failed: 1 };
	}
	for (const file of results.testResults) {
		const statuses = file.assertionResults.map((/** @type {{ status: string }} */ t) => t.status);
		for (const status of statuses) {
			if (status === "passed" || status === "failed") counts[/** @type {const} */ (status)]++;
			else counts.skipped++;
		}
		if (file.status === "failed" && !statuses.includes("failed")) counts.failed++;
	}
	return counts;
}
