import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
	name: string;
	private?: boolean;
	exports?: Record<string, unknown>;
	dependencies?: Record<string, string>;
	peerDependencies?: Record<string, string>;
}

export interface PublicPackage {
	name: string;
	path: string;
	manifest: Manifest;
	/** What others may import of it. */
	entries: string[];
}

/** The packages that are made to be published. */
export function publicPackages(root: string): PublicPackage[] {
	return readdirSync(join(root, "packages")).flatMap((folder) => {
		const path = join(root, "packages", folder);
		const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
		if (manifest.private) return [];
		const entries = Object.keys(manifest.exports ?? {})
			.filter((entry) => !entry.endsWith(".json"))
			.map((entry) => manifest.name + entry.slice(1));
		return [{ name: manifest.name, path, manifest, entries }];
	});
}
