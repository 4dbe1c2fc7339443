import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A path inside the repository. */
export const inRoot = (/** @type {string[]} */ ...parts) => join(root, ...parts);

/** The folders of the workspace that have a package.json, the root (".") first. */
export function packageFolders() {
	const names = existsSync(inRoot("packages")) ? readdirSync(inRoot("packages")).sort() : [];
	return [".", ...names.map((name) => `packages/${name}`), "bench"].filter((folder) =>
		existsSync(inRoot(folder, "package.json")),
	);
}

/** @param {string} folder @returns {Record<string, any>} */
export function readManifest(folder) {
	return JSON.parse(readFileSync(inRoot(folder, "package.json"), "utf8"));
}

/** A command that the packages brought along. */
export const bin = (/** @type {string} */ name) => inRoot("node_modules", ".bin", name);
