import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { runCommand } from "./run-command.mjs";
import { bin, inRoot, packageFolders, readManifest } from "./workspace.mjs";

const STAMP = inRoot("node_modules", ".baton-install");

/** Whether node_modules is what the lockfile and the manifests ask for. */
export function isInstalled() {
	return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint();
}

/** Brings the packages of the frozen lockfile, with the pnpm that package.json pins. */
export async function installPackages() {
	const version = pinnedPnpm();
	const args = ["install", "--frozen-lockfile", "--prod=false"];
	// CI: pnpm must never stop to ask. The npm_config ones keep npx from talking about itself.
	const env = { CI: "true", npm_config_update_notifier: "false", npm_config_loglevel: "error" };
	const result = hasPnpm(version)
		? await runCommand(bin("pnpm"), args, { env })
		: await runCommand("npx", ["--yes", `pnpm@${version}`, ...args], { env });
	if (result.ok) writeFileSync(STAMP, fingerprint());
	return result;
}

/**
 * The version named by `packageManager`. pnpm is a devDependency as well, because turbo needs a
 * `pnpm` on PATH and the machine may have none; the two must be the same.
 */
function pinnedPnpm() {
	const { packageManager, devDependencies } = readManifest(".");
	const version = packageManager.replace("pnpm@", "");
	if (devDependencies.pnpm !== version) {
		throw new Error(
			`package.json names two versions of pnpm: ${packageManager} in packageManager and ` +
				`${devDependencies.pnpm} in devDependencies. Make them the same.`,
		);
	}
	return version;
}

function hasPnpm(/** @type {string} */ version) {
	return (
		existsSync(inRoot("node_modules/pnpm/package.json")) &&
		readManifest("node_modules/pnpm").version === version
	);
}

function fingerprint() {
	const hash = createHash("sha256").update(
		`${process.version} ${process.platform} ${process.arch}`,
	);
	const manifests = packageFolders().map((folder) => `${folder}/package.json`);
	for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
		hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)));
	}
	return hash.digest("hex");
}
