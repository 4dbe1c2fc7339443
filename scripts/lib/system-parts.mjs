import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runCommand } from "./run-command.mjs";
import { inRoot } from "./workspace.mjs";

/** Programs that tests run, named as Debian names both command and package. */
const PARTS = [
	{ name: "redis-server", usedBy: "packages/testkit" },
	{ name: "chromium", usedBy: "packages/browser-tool" },
];

/**
 * Provides the programs that the tests run: installs what is missing where it may, otherwise says
 * what to install. What stays missing is a failure in CI and elsewhere skips the tests that need it.
 *
 * @returns {Promise<import("./report.mjs").Outcome>}
 */
export async function provideSystemParts() {
	const needed = PARTS.filter(({ usedBy }) => existsSync(inRoot(usedBy))).map(({ name }) => name);
	const missing = needed.filter((name) => !isOnPath(name));
	if (missing.length === 0) return { status: "passed", note: needed.join(", ") };

	const installed = canInstall() ? await aptInstall(missing) : undefined;
	const stillMissing = missing.filter((name) => !isOnPath(name));
	if (stillMissing.length === 0) {
		return { status: "passed", note: `installed ${missing.join(", ")}` };
	}
	const advice = [
		`Not on PATH: ${stillMissing.join(", ")}. The tests that need it ${inCi() ? "cannot run" : "are skipped"}.`,
		`On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${stillMissing.join(" ")}`,
		"On macOS: brew install redis; brew install --cask chromium",
		installed?.output ?? "",
	];
	return { status: inCi() ? "failed" : "skipped", output: advice.join("\n") };
}

const inCi = () => process.env.CI === "true";

function isOnPath(/** @type {string} */ name) {
	return (process.env.PATH ?? "").split(delimiter).some((folder) => {
		try {
			accessSync(join(folder, name), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}

function canInstall() {
	return process.getuid?.() === 0 && existsSync("/etc/debian_version") && isOnPath("apt-get");
}

/** Installs Debian packages for their programs alone: no service is started, now or at boot. */
async function aptInstall(/** @type {string[]} */ packages) {
	const env = { DEBIAN_FRONTEND: "noninteractive" };
	const allowServices = forbidServices();
	try {
		const updated = await runCommand("apt-get", ["update", "-qq"], { env });
		const options = ["install", "-qq", "--yes", "--no-install-recommends"];
		const installed = await runCommand("apt-get", [...options, ...packages], { env });
		for (const name of packages.filter((part) => part.endsWith("-server"))) {
			if (isOnPath("systemctl")) await runCommand("systemctl", ["disable", name], { env });
		}
		return { ok: installed.ok, output: updated.output + installed.output };
	} finally {
		allowServices();
	}
}

/** Debian asks /usr/sbin/policy-rc.d before it starts a service; 101 means no. */
function forbidServices() {
	const policy = "/usr/sbin/policy-rc.d";
	if (existsSync(policy)) return () => {};
	writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
	const remove = () => rmSync(policy, { force: true });
	const stop = () => process.exit(130);
	process.on("exit", remove);
	process.on("SIGINT", stop).on("SIGTERM", stop);
	return () => {
		remove();
		process.off("exit", remove).off("SIGINT", stop).off("SIGTERM", stop);
	};
}
