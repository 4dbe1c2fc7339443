// `npm run bench`: the core against its peers. Arguments go to bench/run.mjs.
import { existsSync } from "node:fs";
import { prepareBuild } from "./lib/prepare.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { inRoot } from "./lib/workspace.mjs";

const program = inRoot("bench", "run.mjs");

if (!existsSync(program)) {
	console.error("There is no benchmark yet: bench/run.mjs is missing.");
	process.exitCode = 1;
} else {
	const ready = await prepareBuild();
	const args = [program, ...process.argv.slice(2)];
	const { ok } = ready ? await runCommand(process.execPath, args, { show: true }) : { ok: false };
	process.exitCode = ok ? 0 : 1;
}
