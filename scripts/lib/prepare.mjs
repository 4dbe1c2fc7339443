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

/** Builds every package that changed. */
export async function build() {
	return outcomeOf(await runTurbo(["build", "--output-logs=errors-only"]));
}

/**
 * @param {{ ok: boolean, output: string }} result
 * @returns {import("./report.mjs").Outcome}
 */
export function outcomeOf({ ok, output }) {
	return { status: ok ? "passed" : "failed", output };
}
