// `npm test`: every check, then every test. `npm test -- <words>`: only the tests that match.
import { existsSync } from "node:fs";
import { build, outcomeOf, prepareBuild, prepareInstall, turboTask } from "./lib/prepare.mjs";
import { perform, show, step } from "./lib/report.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { runVitest } from "./lib/run-vitest.mjs";
import { provideSystemParts } from "./lib/system-parts.mjs";
import { bin, inRoot } from "./lib/workspace.mjs";

const words = process.argv.slice(2).filter((word) => word !== "--");
const full = words.includes("--full");
const filters = words.filter((word) => word !== "--full");
const env = full ? { BATON_FULL: "1" } : {};

const command =
	(/** @type {string} */ name, /** @type {string[]} */ args, options = {}) =>
	async () =>
		outcomeOf(await runCommand(name, args, options));
const background = true;

/** @typedef {[name: string, work: () => Promise<import("./lib/report.mjs").Outcome>][]} Checks */

/** @type {Checks} */
const FIRST = [
	["system parts", provideSystemParts],
	["lint", command(bin("biome"), ["check", "--error-on-warnings", "."])],
	["build", build],
];

/**
 * What no test needs. It is done beside them, for tests that kill processes wait a good part of
 * their time.
 *
 * @type {Checks}
 */
const BESIDE = [
	["types", () => turboTask(["build:types", "typecheck"], { background })],
	["packed packages", command(bin("vitest"), ["run", "--project=packed"], { background, env })],
	["dependency directions", command(bin("depcruise"), ["packages"], { background })],
	["dead code", command(bin("knip"), ["--no-progress"], { background })],
];
const seedContract = inRoot("scripts", "check-seed-contract.mjs");
if (existsSync(seedContract)) {
	BESIDE.push(["seed contract", command(process.execPath, [seedContract], { background })]);
}
// Elsewhere a test does not depend on what the network says today: npm run audit.
if (process.env.CI === "true") {
	// Loaded when the packages are installed, for it needs one of them.
	const audit = async () => (await import("./lib/audit.mjs")).auditDependencies();
	BESIDE.push(["dependency audit", audit]);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
if (filters.length > 0) await testSome();
else await testAll();
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;

/** Does everything, whatever a part of it says. Without the packages nothing can be done. */
async function testAll() {
	if (!(await prepareInstall())) return counts.failed++;
	for (const [name, work] of FIRST) counts[(await step(name, work)).status]++;
	const checks = checkBeside();
	await countTests();
	for (const done of await checks) counts[show(done).status]++;
}

async function checkBeside() {
	const done = [];
	for (const [name, work] of BESIDE) done.push(await perform(name, work));
	return done;
}

async function testSome() {
	if (!(await prepareBuild())) return counts.failed++;
	const { status } = await step("system parts", provideSystemParts);
	if (status === "failed") counts.failed++;
	else await countTests();
}

async function countTests() {
	const tests = await runVitest(filters, { env });
	for (const status of /** @type {const} */ (["passed", "failed", "skipped"])) {
		counts[status] += tests[status];
	}
}
