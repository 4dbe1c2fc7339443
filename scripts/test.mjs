// `npm test`: every check, then every test. `npm test -- <words>`: only the tests that match.
import { existsSync } from "node:fs";
import { build, outcomeOf, prepareBuild, prepareInstall, turboTask } from "./lib/prepare.mjs";
import { step } from "./lib/report.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { runVitest } from "./lib/run-vitest.mjs";
import { provideSystemParts } from "./lib/system-parts.mjs";
import { bin, inRoot } from "./lib/workspace.mjs";

const words = process.argv.slice(2).filter((word) => word !== "--");
const full = words.includes("--full");
const filters = words.filter((word) => word !== "--full");

const command =
	(/** @type {string} */ name, /** @type {string[]} */ ...args) =>
	async () =>
		outcomeOf(await runCommand(name, args));

/** @type {[name: string, work: () => Promise<import("./lib/report.mjs").Outcome>][]} */
const CHECKS = [
	["system parts", provideSystemParts],
	["lint", command(bin("biome"), "check", "--error-on-warnings", ".")],
	["build", build],
	["types", () => turboTask("typecheck")],
	["dependency directions", command(bin("depcruise"), "packages")],
	["dead code", command(bin("knip"), "--no-progress")],
];
const seedContract = inRoot("scripts", "check-seed-contract.mjs");
if (existsSync(seedContract)) {
	CHECKS.push(["seed contract", command(process.execPath, seedContract)]);
}
// Elsewhere a test does not depend on what the network says today: npm run audit.
if (process.env.CI === "true") {
	// Loaded when the packages are installed, for it needs one of them.
	const audit = async () => (await import("./lib/audit.mjs")).auditDependencies();
	CHECKS.push(["dependency audit", audit]);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const ready = filters.length > 0 ? await prepareFiltered() : await runChecks();
if (ready) {
	const tests = await runVitest(filters, { full });
	for (const status of /** @type {const} */ (["passed", "failed", "skipped"])) {
		counts[status] += tests[status];
	}
} else {
	counts.failed++;
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;

/** Runs every check, whatever the others say. Without the packages nothing can run. */
async function runChecks() {
	if (!(await prepareInstall())) return false;
	for (const [name, work] of CHECKS) counts[(await step(name, work)).status]++;
	return true;
}

async function prepareFiltered() {
	if (!(await prepareBuild())) return false;
	const { status } = await step("system parts", provideSystemParts);
	return status !== "failed";
}
