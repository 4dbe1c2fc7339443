/* The rows of docs/seed-contract.md against the repository that they speak of. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failedCheck } from "./checks.mjs";
import { missingExport } from "./file-exports.mjs";
import { missingTest } from "./file-tests.mjs";
import { parseContract } from "./parse-contract.mjs";

/** @returns {{ problems: string[], summary: string }} */
export function checkContract(root) {
	const contract = join(root, "docs/seed-contract.md");
	if (!existsSync(contract))
		return { problems: ["the file does not exist"], summary: "seed contract: none" };

	const { rows, pending, problems } = parseContract(readFileSync(contract, "utf8"));
	const openByIssue = new Map();
	for (const row of rows) {
		const issue = row.proofs[0].open;
		if (issue === undefined) {
			problems.push(...problemsOf(root, row).map((problem) => `${row.id}: ${problem}`));
			continue;
		}
		openByIssue.set(issue, (openByIssue.get(issue) ?? 0) + 1);
		if (!pending.has(issue)) problems.push(`${row.id}: ${openProblem(root, row, issue)}`);
	}
	for (const issue of pending)
		if (!openByIssue.has(issue))
			problems.push(`issue ${issue} has no open row: take it off "Issues not landed yet"`);

	return { problems, summary: summarize(rows.length, openByIssue, problems.length) };
}

function problemsOf(root, row) {
	return [
		...row.places.map((place) => placeProblem(root, place)),
		...row.proofs.map((proof) => proofProblem(root, proof)),
	].filter((problem) => problem !== null);
}

function placeProblem(root, { path, name, member }) {
	const file = join(root, path);
	if (!existsSync(file)) return `${path} does not exist`;
	if (name === null) return null;
	const missing = missingExport(file, name, member);
	return missing && `${path} ${missing}`;
}

function proofProblem(root, proof) {
	if ("check" in proof) {
		const failed = failedCheck(root, proof.check);
		return failed && `check: ${proof.check}: ${failed}`;
	}
	const file = join(root, proof.path);
	if (!existsSync(file)) return `test file ${proof.path} does not exist`;
	const missing = missingTest(file, proof.titles);
	return missing && `test file ${proof.path} ${missing}`;
}

/** The package of a row is the folder under packages/ in its first place. */
function openProblem(root, row, issue) {
	const folder = /^packages\/[^/]+/.exec(row.places[0]?.path ?? "")?.[0];
	const there = folder && existsSync(join(root, folder, "src/index.ts"));
	return there
		? `open, although ${folder} is there and issue ${issue} is no longer pending`
		: `open, although issue ${issue} is no longer pending`;
}

function summarize(rows, openByIssue, problems) {
	const issues = [...openByIssue].sort(([a], [b]) => a - b);
	const open = issues.reduce((sum, [, count]) => sum + count, 0);
	const detail = issues.map(([issue, count]) => `issue ${issue}: ${count}`).join(", ");
	const byIssue = detail === "" ? "" : ` (${detail})`;
	return `seed contract: ${rows} rows, ${rows - open} shown, ${open} open${byIssue}, ${problems} problems`;
}
