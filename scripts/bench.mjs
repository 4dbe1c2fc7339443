// `npm run bench`: the core against its peers. Arguments go to bench/run.mjs; with --scale to
// bench/scale.mjs, what sessions cost, and with --floors to bench/floors.mjs, what no code goes below.
import { existsSync } from "node:fs";
import { prepareBuild } from "./lib/prepare.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { inRoot } from "./lib/workspace.mjs";

const args = process.argv.slice(2);
const special = ["scale", "floors"].find((word) => args.includes(`--${word}`));
const name = `${special ?? "run"}.mjs`;
const program = inRoot("bench", name);

if (!existsSync(program)) {
	console.error(`There is no benchmark yet: bench/${name} is missing.`);
	process.exitCode = 1;
} else {
	const ready = await prepareBuild();
	const run = () => runCommand(process.execPath, [program, ...args], { show: true });
	const { ok } = ready ? await run() : { ok: false };
	process.exitCode = ok ? 0 : 1;
}
