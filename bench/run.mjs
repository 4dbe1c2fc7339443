// npm run bench [-- <words>] [--quick] [--json] [--strict]
//
// Runs every bench whose file name holds one of the words, prints one table and writes
// bench/results/latest.json; a run of everything writes docs/benchmarks.md and its plot too. A miss is
// shown; with --strict it is an exit code of 1 too.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { renderDocument } from "./document.mjs";
import { renderPlot } from "./plot.mjs";
import { renderTable } from "./table.mjs";

const here = new URL("./", import.meta.url);
const args = process.argv.slice(2);
const flags = new Set(args.filter((arg) => arg.startsWith("--")));
const words = args.filter((arg) => !arg.startsWith("--"));
const [json, quick, strict] = ["--json", "--quick", "--strict"].map((flag) => flags.has(flag));
const say = (text) => json || console.log(text);

const results = { at: new Date().toISOString(), machine: machine(), quick, rows: [], failed: [] };
for (const url of findBenches()) {
	const name = nameOf(url);
	const start = performance.now();
	try {
		results.rows.push(...(await runApart(url)).map((row) => toRow(name, row)));
		say(`  ✓ ${name.padEnd(24)} ${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s`);
	} catch (error) {
		results.failed.push({ bench: name, error: error.message });
		say(`  ✗ ${name}: ${error.message}`);
	}
}

mkdirSync(new URL("results/", here), { recursive: true });
writeFileSync(new URL("results/latest.json", here), `${JSON.stringify(results, null, "\t")}\n`);
if (words.length === 0 && !quick && results.failed.length === 0) {
	const docs = new URL("../docs/", here);
	writeFileSync(new URL("benchmarks.md", docs), renderDocument(results));
	writeFileSync(new URL("benchmarks.svg", docs), renderPlot(results.rows));
}
const misses = results.rows.filter((row) => !row.pass).length;
if (json) console.log(JSON.stringify(results, null, "\t"));
else if (results.rows.length > 0) {
	say(`\n${renderTable(results.rows)}\n`);
	say(`${results.rows.length - misses} reached, ${misses} missed · ${machine()}`);
	say(
		"A ratio is the median over rounds in which both sides took turns. bench/results/latest.json",
	);
}
if (results.failed.length > 0 || (strict && misses > 0)) process.exitCode = 1;

function findBenches() {
	const own = readdirSync(here)
		.filter((file) => file.endsWith(".bench.mjs"))
		.map((file) => new URL(file, here));
	const packages = new URL("../packages/", here);
	const theirs = readdirSync(packages)
		.map((name) => new URL(`${name}/bench/`, packages))
		.filter((folder) => existsSync(folder))
		.flatMap((folder) => readdirSync(folder).map((file) => new URL(file, folder)))
		.filter(({ pathname }) => pathname.endsWith(".mjs"));
	const wanted = (url) => words.length === 0 || words.some((word) => nameOf(url).includes(word));
	return [...own, ...theirs].filter(wanted);
}

function nameOf(url) {
	return basename(fileURLToPath(url)).replace(/(\.bench)?\.mjs$/, "");
}

async function runApart(url) {
	const child = fork(new URL("run-one.mjs", here), [url.href, JSON.stringify({ quick })], {
		execArgv: ["--expose-gc"],
		stdio: ["ignore", 2, 2, "ipc"],
	});
	let rows;
	child.on("message", (message) => {
		rows = message;
	});
	const [code, signal] = await once(child, "exit");
	if (code !== 0 || !rows) throw new Error(`it ended with ${signal ?? `exit code ${code}`}`);
	return rows;
}

/** Benches of packages may give a `value` in place of a ratio. */
function toRow(bench, { value, ...row }) {
	return { bench, ratio: value, ...row };
}

function machine() {
	const cores = cpus();
	return `Node ${process.versions.node}, ${cores.length} cores of ${cores[0]?.model.trim() ?? "?"}`;
}
