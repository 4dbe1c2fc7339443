#!/usr/bin/env node
/*
 * Holds docs/seed-contract.md to the repository: every row is well formed, its places exist and
 * export what they say, its tests exist and run, its checks pass, and no row is open for an issue
 * that has landed. One line per problem, then a summary; exit 1 when there is a problem.
 *
 *   node scripts/check-seed-contract.mjs [--root <folder>]
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { failedCheck } from "./seed-contract/checks.mjs";
import { missingExport } from "./seed-contract/file-exports.mjs";
import { missingTest } from "./seed-contract/file-tests.mjs";
import { parseContract } from "./seed-contract/parse-contract.mjs";

const { values } = parseArgs({ options: { root: { type: "string" } } });
const root = resolve(values.root ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
const contract = join(root, "docs/seed-contract.md");

if (!existsSync(contract)) {
	console.error("docs/seed-contract.md does not exist");
	process.exit(1);
}

const { rows, pending, problems } = parseContract(readFileSync(contract, "utf8"));
const openByIssue = new Map();

for (const row of rows) {
	const issue = row.proofs[0].open;
	if (issue === undefined) {
		problems.push(...problemsOf(row).map((problem) => `${row.id}: ${problem}`));
		continue;
	}
	openByIssue.set(issue, (openByIssue.get(issue) ?? 0) + 1);
	if (!pending.has(issue)) problems.push(`${row.id}: ${openProblem(row, issue)}`);
}
for (const issue of pending)
	if (!openByIssue.has(issue))
		problems.push(`issue ${issue} has no open row: take it off "Issues not landed yet"`);

for (const problem of problems) console.error(`docs/seed-contract.md: ${problem}`);
console.log(summary());
process.exitCode = problems.length > 0 ? 1 : 0;

function problemsOf(row) {
	return [...row.places.map(placeProblem), ...row.proofs.map(proofProblem)].filter(
		(problem) => problem !== null,
	);
}

function placeProblem({ path, name, member }) {
	const file = join(root, path);
	if (!existsSync(file)) return `${path} does not exist`;
	if (name === null) return null;
	const missing = missingExport(file, name, member);
	return missing && `${path} ${missing}`;
}

function proofProblem(proof) {
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
function openProblem(row, issue) {
	const folder = /^packages\/[^/]+/.exec(row.places[0]?.path ?? "")?.[0];
	const there = folder && existsSync(join(root, folder, "src/index.ts"));
	return there
		? `open, although ${folder} is there and issue ${issue} is no longer pending`
		: `open, although issue ${issue} is no longer pending`;
}

function summary() {
	const open = [...openByIssue].sort(([a], [b]) => a - b);
	const total = open.reduce((sum, [, count]) => sum + count, 0);
	const detail = open.map(([issue, count]) => `issue ${issue}: ${count}`).join(", ");
	return `seed contract: ${rows.length} rows, ${rows.length - total} shown, ${total} open${detail && ` (${detail})`}, ${problems.length} problems`;
}
