import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandError } from "./command-error";
import { EXIT } from "./exit-codes";

/** In a clone, beside the packages. */
const PROGRAM = fileURLToPath(new URL("../../../bench/run.mjs", import.meta.url));

/** Runs the benchmarks against Baton's peers; they say themselves how far they are. */
export async function benchCommand(args: readonly string[], program = PROGRAM): Promise<number> {
	if (!existsSync(program)) {
		throw new CommandError(
			"The benchmarks are not in the package: they need Baton's repository and the peers that it installs. In a clone: npm run bench.",
		);
	}
	const child = spawn(process.execPath, [program, ...args], { stdio: "inherit" });
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", resolve);
	});
	return code === 0 ? EXIT.ok : EXIT.failed;
}
