// `npm start`: from a bare clone to a running Baton.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { prepareBuild } from "./lib/prepare.mjs";
import { inRoot, packageFolders, readManifest } from "./lib/workspace.mjs";

const cli = inRoot("packages", "baton", "dist", "cli.js");

if (!(await prepareBuild())) process.exitCode = 1;
else if (existsSync(cli)) startBaton(process.argv.slice(2));
else sayWhatIsThere();

function startBaton(/** @type {string[]} */ args) {
	const child = spawn(process.execPath, [cli, "start", ...args], { stdio: "inherit" });
	for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
		process.on(signal, () => {
			// A terminal sends Ctrl-C to the child too; passing it on would make it two.
			if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
		});
	}
	child.on("exit", (code, signal) => {
		if (!signal) process.exit(code ?? 1);
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
}

function sayWhatIsThere() {
	const { name: _, version } = readManifest(".");
	const packages = packageFolders()
		.filter((folder) => folder !== ".")
		.map(readManifest);
	const width = Math.max(...packages.map(({ name }) => name.length));
	const lines = packages.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`);
	console.log(`
Baton ${version} is installed and built:

${lines.join("\n")}

These are libraries; the server that puts them behind a port is not there yet.

  npm test              every check and every test
  npm test -- <words>   the tests whose path has one of these words in it
  npm run test:full     the same with the long tests at their full length
  npm run bench         the core against its peers, as a table of ratios
`);
}
