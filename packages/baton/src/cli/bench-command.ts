import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "./command-error";
import { EXIT } from "./exit-codes";
import { UsageError } from "./options";

/** In a clone, beside the packages. */
const PROGRAM = fileURLToPath(new URL("../../../bench/run.mjs", import.meta.url));
/** Beside the program there is more than benchmarks; in a package's folder for them there is not. */
const OWN = /^(.+)\.bench\.mjs$/;
const OF_A_PACKAGE = /^(.+?)(\.bench)?\.mjs$/;

/** Runs the benchmarks against Baton's peers; they say themselves how far they are. */
export async function benchCommand(args: readonly string[], program = PROGRAM): Promise<number> {
	const names = await namesBeside(program);
	if (names.length === 0) {
		throw new CommandError(
			"The benchmarks are not in the package: they need Baton's repository and the peers that it installs. In a clone: npm run bench.",
		);
	}
	const words = args.filter((arg) => !arg.startsWith("-"));
	const unknown = words.find((word) => !names.some((name) => name.includes(word)));
	if (unknown !== undefined) {
		throw new UsageError(`there is no benchmark "${unknown}". There are: ${names.join(", ")}.`);
	}
	return run(program, args);
}

/** Benchmarks are beside the program, and in the packages that have some of their own. */
async function namesBeside(program: string): Promise<string[]> {
	const bench = dirname(program);
	const packages = join(bench, "..", "packages");
	const theirs = (await filesIn(packages)).map((name) => join(packages, name, "bench"));
	const [own = [], ...others] = await Promise.all([bench, ...theirs].map(filesIn));
	const named = (files: readonly string[], form: RegExp) =>
		files.flatMap((file) => form.exec(file)?.[1] ?? []);
	return [...named(own, OWN), ...named(others.flat(), OF_A_PACKAGE)].sort();
}

function filesIn(folder: string): Promise<string[]> {
	return readdir(folder).catch(() => []);
}

async function run(program: string, args: readonly string[]): Promise<number> {
	const child = spawn(process.execPath, [program, ...args], { stdio: "inherit" });
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", resolve);
	});
	return code === 0 ? EXIT.ok : EXIT.failed;
}
