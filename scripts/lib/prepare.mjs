import { installPackages, isInstalled } from "./install-packages.mjs";
import { step } from "./report.mjs";
import { runTurbo } from "./turbo.mjs";

/** Installs the packages if anything about them changed. Resolves to whether they are there. */
export async function prepareInstall() {
	if (isInstalled()) return true;
	const { status } = await step("packages", async () => outcomeOf(await installPackages()));
	return status === "passed";
}

/** Installs, and builds what changed. Resolves to whether all is ready to run. */
export async function prepareBuild() {
	if (!(await prepareInstall())) return false;
	const { status } = await step("build", build);
	return status === "passed";
}

/** Builds what runs of every package that changed; its types are a task of their own. */
export const build = () => turboTask(["build:code"]);

/**
 * Runs tasks everywhere they can run, and keeps the output of what failed.
 *
 * @param {string[]} tasks
 * @param {{ background?: boolean }} [options]
 */
export async function turboTask(tasks, options) {
	const quiet = ["--output-logs=errors-only", "--continue=dependencies-successful"];
	return outcomeOf(await runTurbo([...tasks, ...quiet], options));
}

/**
 * @param {{ ok: boolean, output: string }} result
 * @returns {import("./report.mjs").Outcome}
 */
export function outcomeOf({ ok, output }) {
	return { status: ok ? "passed" : "failed", output };
}
